// May these watches be on one process? Asked before anything is stored or started.
import { HoldfastError } from "../../protocol/errors.ts";
import type { ProcessMode } from "../../protocol/process.ts";
import type { WatchSpec } from "../../protocol/watches.ts";
import { checkPatterns } from "./check-patterns.ts";

const mostWatches = 100;

/** @throws HoldfastError INVALID_ARGUMENT */
export function checkWatches(specs: readonly WatchSpec[], mode: ProcessMode): void {
  if (specs.length > mostWatches) {
    throw new HoldfastError("INVALID_ARGUMENT", `A process has at most ${mostWatches} watches.`, {
      hint: "Remove one with `holdfast watch remove`, or join patterns with |.",
    });
  }
  checkPatterns(specs.flatMap((spec) => (spec.kind === "regex" ? [spec.regex] : [])));
  if (mode !== "pty" && specs.some(({ kind }) => kind === "input")) {
    throw new HoldfastError(
      "INVALID_ARGUMENT",
      "Only in a terminal it can be seen that a program waits for input.",
      {
        hint: "Start the process in pty mode to watch for it.",
      },
    );
  }
}
