// How a process ended, in words: truthful, and with who asked for it.
import type { ProcessView } from "../../protocol/process.ts";
import { quoteWord } from "./quoted.ts";

export function howItEnded(process: Pick<ProcessView, "exit" | "state" | "stopReason">): string {
  const { exit, stopReason } = process;
  if (exit === null) return `is ${process.state}`;
  switch (exit.kind) {
    case "exited":
      // One that was stopped and then said 0 has not ended of its own accord.
      return exit.code === 0 && stopReason === "none"
        ? "ended normally (exit code 0)"
        : `ended with exit code ${exit.code}`;
    case "signaled":
      return `was ended by ${exit.signal}${exit.coreDumped ? " (core dumped)" : ""}`;
    case "spawn_failed":
      return `could not be started: ${exit.message}`;
    default: // lost
      return `is lost: it was last seen at ${exit.lastSeen}, and nobody knows how it ended`;
  }
}

const limitTexts: Readonly<Record<string, string>> = {
  timeout: "its time limit was reached",
  idle: "it was silent for longer than its limit",
  memory: "it used more memory than its limit",
  oom: "the machine ran out of memory",
  output: "it wrote more than its limit",
  lifetime: "what it belonged to was closed",
  replaced: "another one took its name",
};

/** Undefined where nobody asked for the end. */
export function whyItEnded({ stopReason, stopBy }: ProcessView): string | undefined {
  if (stopReason === "none") return undefined;
  if (stopReason !== "user") return limitTexts[stopReason] ?? stopReason;
  const session = stopBy?.session === undefined ? "" : ` of session ${quoteWord(stopBy.session, 100)}`;
  return stopBy === null ? "somebody stopped it" : `${stopBy.verb}${session} stopped it`;
}

export function durationText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
