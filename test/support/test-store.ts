// A store of its own for each test, closed when the test is over.
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { HoldfastError } from "../../src/protocol/errors.ts";
import { Store, type StoreOptions } from "../../src/store/index.ts";
import { newTestHome } from "./test-home.ts";

export interface TestStore {
  readonly store: Store;
  /** What it told through onProblem. */
  readonly problems: HoldfastError[];
}

export async function openTestStore(
  file: string = newStoreFile(),
  options: Pick<StoreOptions, "isHomeUsed"> = {},
): Promise<TestStore> {
  const problems: HoldfastError[] = [];
  const store = await Store.open({ ...options, file, onProblem: (problem) => problems.push(problem) });
  onTestFinished(() => store.close());
  return { store, problems };
}

/** Where a store can be, in a fresh home. */
export function newStoreFile(): string {
  return join(newTestHome(), "store.db");
}
