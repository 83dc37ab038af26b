// The screens of terminals, rendered from stored output. An emulator is kept for a while, so that the next look only adds what is new.
import type { Operations } from "../../protocol/operations.ts";
import type { ProcessDetail } from "../../protocol/process.ts";
import type { Emulator } from "./emulator.ts";

export interface Screen {
  readonly lines: readonly string[];
  readonly columns: number;
  readonly rows: number;
  /** Both count from 1. */
  readonly cursor: { readonly line: number; readonly column: number };
  /** A full-screen program has switched to the alternate screen. */
  readonly isAlternate: boolean;
  /** Lines, from 1, that look different now; undefined for the first look. */
  readonly changes: readonly number[] | undefined;
  readonly remark: string | undefined;
}

export interface Look {
  readonly operations: Operations;
  readonly process: ProcessDetail;
  readonly session: string;
  readonly signal: AbortSignal;
}

// An emulator with no history takes some 100 kB.
const mostEmulators = 16;

export class Screens {
  readonly #emulators = new Map<string, Promise<Emulator>>();
  readonly #seen = new Map<string, readonly string[]>();

  async look(look: Look): Promise<Screen> {
    const { process, session } = look;
    const emulator = await this.#emulatorOf(process);
    await emulator.feed(look);
    const { lines, ...rest } = emulator.render();
    const key = `${session}\0${process.id}`;
    const before = this.#seen.get(key);
    this.#seen.delete(key);
    this.#seen.set(key, lines);
    forgetOldest(this.#seen, mostEmulators);
    return { ...rest, lines, changes: before === undefined ? undefined : changedLines(before, lines) };
  }

  #emulatorOf({ id, columns, rows }: ProcessDetail): Promise<Emulator> {
    const found = this.#emulators.get(id);
    // Loaded only when somebody looks at a screen.
    const emulator = found ?? import("./emulator.ts").then((loaded) => new loaded.Emulator(columns, rows));
    this.#emulators.delete(id);
    this.#emulators.set(id, emulator);
    const dropped = forgetOldest(this.#emulators, mostEmulators);
    void dropped?.then((old) => old.dispose());
    return emulator;
  }
}

function forgetOldest<Value>(map: Map<string, Value>, most: number): Value | undefined {
  const [oldest] = map.keys();
  if (map.size <= most || oldest === undefined) return undefined;
  const value = map.get(oldest);
  map.delete(oldest);
  return value;
}

export function changedLines(before: readonly string[], after: readonly string[]): number[] {
  const count = Math.max(before.length, after.length);
  return Array.from({ length: count }, (_, index) => index)
    .filter((index) => (before[index] ?? "") !== (after[index] ?? ""))
    .map((index) => index + 1);
}
