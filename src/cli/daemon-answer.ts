// Whether, and as whom, the daemon of a home answers.
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "../client/index.ts";
import { connect } from "../client/node.ts";
import type { DaemonStatus } from "../protocol/daemon.ts";

const pollMs = 20;
// One that hangs must not hang whoever asks.
const answerTimeoutMs = 2_000;

/** Starts none, and does not wait for one that does not answer soon. @throws what it answers, or that it does not */
export async function askDaemon<Answer>(
  home: string,
  ask: (client: Client, options: { readonly signal: AbortSignal }) => Promise<Answer>,
): Promise<Answer> {
  const signal = AbortSignal.timeout(answerTimeoutMs);
  await using client = await connect({ home, signal, reconnectMs: 0 });
  return await ask(client, { signal });
}

/** Undefined when none answers. */
export async function answerOf(home: string): Promise<DaemonStatus | undefined> {
  try {
    return await askDaemon(home, (client, options) => client.daemon.status({}, options));
  } catch {
    return undefined; // nobody is there, it is about to go, or it hangs
  }
}

/** Does one take connections before the deadline? */
export async function answersWithin(home: string, deadlineMs: number): Promise<boolean> {
  do {
    try {
      const client = await connect({ home });
      client.close();
      return true;
    } catch {
      await delay(pollMs); // not yet
    }
  } while (performance.now() < deadlineMs);
  return false;
}

/** The first answer of one that was started after `before`; undefined when the time is up. */
export async function answerOfAnother(
  home: string,
  before: Pick<DaemonStatus, "pid" | "startedAt"> | undefined,
  timeoutMs: number,
): Promise<DaemonStatus | undefined> {
  const deadlineMs = performance.now() + timeoutMs;
  do {
    const answer = await answerOf(home);
    // One that starts itself anew in its own place keeps its pid.
    if (answer !== undefined && (answer.pid !== before?.pid || answer.startedAt !== before.startedAt))
      return answer;
    await delay(pollMs);
  } while (performance.now() < deadlineMs);
  return undefined;
}
