// Daemons whose processes are confined, and what tests of them share.
import { accessSync, chmodSync, chownSync, constants, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { OperationInput, OperationOutput } from "../../src/protocol/operations.ts";
import { isWithin, temporaryPlaces } from "../../src/processes/index.ts";
import { compileFixture } from "./compile-fixture.ts";
import { ask } from "./daemon-calls.ts";
import type { DaemonHome } from "./daemon-home.ts";
import { newTestHome } from "./test-home.ts";

// The checkout itself may lie in a temporary directory; then one that a system has for its services.
const places = [join(import.meta.dirname, "../../keeper/build"), "/var/lib", "/srv", "/opt"];

function isUsable(place: string): boolean {
  if (temporaryPlaces().some((temporary) => isWithin(place, temporary))) return false;
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false; // not there, or not ours to write
  }
}

/** Outside of every temporary directory, where a confined process may write anyway. */
export function placeOutside(owner?: number): string {
  const place = places.find(isUsable);
  if (place === undefined) throw new Error(`none of ${places.join(", ")} is writable and not temporary`);
  const directory = mkdtempSync(join(place, "holdfast-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  chmodSync(directory, 0o755);
  if (owner !== undefined) chownSync(directory, owner, owner);
  return directory;
}

/** So that nothing is left in the machine's own. */
export function ownRuntimeDirectory(): Record<string, string> {
  const directory = join(newTestHome(), "run");
  mkdirSync(directory, { mode: 0o700 });
  return { XDG_RUNTIME_DIR: directory };
}

export interface EndedRun {
  readonly started: OperationOutput<"process.start">;
  readonly lines: readonly string[];
}

export type ConfinedStart = Partial<OperationInput<"process.start">>;

/** Runs a script to its end; `$ATTEMPT` is the program that tries things. */
export async function runScript(daemon: DaemonHome, script: string, more: ConfinedStart): Promise<EndedRun> {
  const caller = { PATH: "/usr/bin:/bin", HOME: "/", ATTEMPT: compileFixture("attempt") };
  const started = await ask(daemon, "process.start", {
    command: ["/bin/sh", "-c", script],
    mode: "merged",
    environment: { caller },
    ...more,
  });
  return { started, lines: await linesOf(daemon, started.id) };
}

/** What it wrote until its end. */
export async function linesOf(daemon: DaemonHome, id: string): Promise<string[]> {
  await ask(daemon, "process.wait", { ids: [id] });
  const { text } = await ask(daemon, "process.output", { id, format: "text" });
  return (text ?? "").split("\n").filter((line) => line !== "");
}
