// One condition on one process: resolves when it is met. Exit is not here: every wait hears of the end anyway. Nor is a match, which is looked
// for in what was written before the end.
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { KeptProcess } from "../../keeper/index.ts";
import type { Condition } from "../../protocol/wait.ts";
import { watchFile } from "./watch-file.ts";
import { never } from "./watch-match.ts";

// The kernel tells nobody that a port begins to listen: asking ten times a second costs nothing to speak of. What has
// not begun after a minute is asked less often.
const leastProbePauseMs = 100;
const longestProbePauseMs = 1_000;

/** Never resolves when the condition can no longer be met. */
export async function watchCondition(
  condition: Exclude<Condition, { kind: "exit" | "match" }>,
  kept: KeptProcess,
  signal: AbortSignal,
): Promise<undefined> {
  switch (condition.kind) {
    case "idle":
      return await watchIdle(condition.ms, kept, signal);
    case "port":
      return await probe(() => isListening(condition.port, condition.host), signal);
    case "http":
      return await probe(() => answers(condition.url, condition.status, signal), signal);
    default:
      return await watchFile(condition.path, signal);
  }
}

async function watchIdle(ms: number, kept: KeptProcess, signal: AbortSignal): Promise<undefined> {
  const quiet = Promise.withResolvers<undefined>();
  let timer = setTimeout(() => quiet.resolve(undefined), ms);
  const read = async (): Promise<undefined> => {
    for await (const event of kept.output({ from: "end", follow: true, signal })) {
      if (event.kind !== "data") continue;
      clearTimeout(timer);
      timer = setTimeout(() => quiet.resolve(undefined), ms);
    }
    return await never(signal);
  };
  try {
    await Promise.race([read(), quiet.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function probe(isMet: () => Promise<boolean>, signal: AbortSignal): Promise<undefined> {
  const startMs = performance.now();
  while (!(await isMet())) {
    const hundredthMs = (performance.now() - startMs) / 100;
    const pauseMs = Math.min(longestProbePauseMs, Math.max(leastProbePauseMs, hundredthMs));
    await delay(pauseMs, undefined, { signal });
  }
  return undefined;
}

const loopback = ["127.0.0.1", "::1"];

async function isListening(port: number, host: string | undefined): Promise<boolean> {
  const hosts = host === undefined ? loopback : [host];
  return (await Promise.all(hosts.map((each) => accepts(port, each)))).includes(true);
}

function accepts(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 1_000 });
    const finish = (listening: boolean) => (): void => {
      socket.destroy();
      resolve(listening);
    };
    socket.once("connect", finish(true)).once("error", finish(false)).once("timeout", finish(false));
  });
}

async function answers(url: string, status: number | undefined, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, {
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]),
    });
    await response.body?.cancel();
    // Any answer means that the server is there; a 5xx usually means that it is still coming up.
    return status === undefined ? response.status < 500 : response.status === status;
  } catch {
    signal.throwIfAborted();
    return false; // not listening yet, or gave up in the middle
  }
}
