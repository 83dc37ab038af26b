// How a process ended, in words, and how that should look.
import type { ProcessView } from "#protocol/process.ts";

export type Tone = "good" | "warn" | "bad" | "info" | "neutral";

const reasonText: Partial<Record<ProcessView["stopReason"], string>> = {
  user: "stopped on request",
  timeout: "stopped at its time limit",
  idle: "stopped at its idle limit",
  memory: "stopped at its memory limit",
  oom: "killed: the machine was out of memory",
  output: "stopped at its output limit",
  lifetime: "ended with its owner",
  replaced: "replaced by a newer one",
};

/** One sentence without a full stop: "exited with code 1", "killed by SIGKILL, stopped on request". */
export function exitText({ state, exit, stopReason }: ProcessView): string {
  if (exit === null) return state;
  const reason = reasonText[stopReason];
  const suffix = reason === undefined ? "" : `, ${reason}`;
  switch (exit.kind) {
    case "exited":
      return exit.code === 0 ? `succeeded${suffix}` : `failed with code ${exit.code}${suffix}`;
    case "signaled":
      return `ended by ${exit.signal}${exit.coreDumped ? " (core dumped)" : ""}${suffix}`;
    case "spawn_failed":
      return `could not start: ${exit.message}`;
    default:
      return "lost: nobody saw how it ended";
  }
}

export function toneOf({ state, exit, stopReason }: ProcessView): Tone {
  if (state !== "ended") return state === "running" ? "info" : "warn";
  if (exit?.kind === "exited" && exit.code === 0) return "good";
  return stopReason === "user" || stopReason === "lifetime" || stopReason === "replaced" ? "neutral" : "bad";
}
