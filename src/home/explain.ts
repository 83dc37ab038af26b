// What was seen of a home's daemon, in words: why, and what to do.
import { currentBootId } from "../util/process-identity.ts";
import type { Presence, PresenceState, Sight } from "./presence.ts";

type Words = Pick<Presence, "reason" | "advice">;

const startAdvice = "The next command starts one; or run: holdfast daemon start";

const explanations: Readonly<Record<PresenceState, (sight: Sight) => Words>> = {
  running: explainRunning,
  stopped: explainStopped,
  stale: explainStale,
  foreign: explainForeign,
  unknown: explainUnknown,
};

export function explain(sight: Sight): Words {
  return explanations[sight.state](sight);
}

function explainRunning({ owner, detail }: Sight): Words {
  const pid = owner?.pid ?? 0;
  if (owner?.liveness === "stopped") {
    return {
      reason: `Process ${pid} has this home but is stopped by a signal (state T): it answers nobody.`,
      advice: `Continue it: kill -CONT ${pid}; or replace it: holdfast daemon run --replace`,
    };
  }
  switch (detail) {
    case "starting":
      return {
        reason: `Process ${pid} has this home and has not told that it is ready.`,
        advice: "Wait a moment.",
      };
    case "degraded":
      return {
        reason: `Process ${pid} runs this home, but something does not work.`,
        advice: "See what and why: holdfast doctor",
      };
    case "draining":
      return {
        reason: `Process ${pid} is about to end.`,
        advice: "Wait a moment; the next command starts another.",
      };
    default:
      return { reason: `Process ${pid} runs this home.`, advice: "Nothing to do." };
  }
}

function explainStopped({ detail, status }: Sight): Words {
  if (detail === "failed") {
    return {
      reason: `The last daemon failed: ${status?.exitReason ?? "it did not say why"}`,
      advice: "Read why: holdfast daemon logs; then run: holdfast daemon start",
    };
  }
  if (status === null) return { reason: "No daemon has run here.", advice: startAdvice };
  return {
    reason: `The last daemon, process ${status.writer.pid}, has ended: ${status.exitReason ?? "it did not say why"}`,
    advice: startAdvice,
  };
}

function explainForeign({ record }: Sight): Words {
  const where = `PID namespace (${record?.pidNamespace ?? "unknown"})`;
  return {
    reason: `The daemon of this home is process ${record?.pid ?? "?"} of another ${where}: another container has this home.`,
    advice:
      "Use it there, or give this place a home of its own (HOLDFAST_HOME). If that container is gone, so is its lock: holdfast daemon start",
  };
}

function explainUnknown({ owner }: Sight): Words {
  const pid = owner?.pid ?? "?";
  return {
    reason: `Process ${pid} is recorded as the daemon; whether it is that one, and still has this home, cannot be seen from here.`,
    advice: `Look at it: ps -p ${pid}. The lock decides: holdfast daemon start refuses while somebody has it.`,
  };
}

function explainStale(sight: Sight): Words {
  return {
    reason: staleReason(sight),
    advice: `Nothing is lost: the next daemon takes over what runs. ${startAdvice}`,
  };
}

function staleReason({ record, status }: Sight): string {
  const left = record ?? status?.writer;
  if (left === undefined) return "What the last daemon left cannot be read; nobody has the lock.";
  const bootId = currentBootId();
  const why =
    left.bootId !== "" && bootId !== "" && left.bootId !== bootId
      ? "the machine was restarted since, or another machine wrote it"
      : "it was killed, or crashed";
  return `Process ${left.pid} left its record, and nobody has the lock: ${why}.`;
}
