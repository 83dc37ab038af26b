// Tells once that a process is ready: a port takes connections, an address answers.
import type { KeptProcess } from "../../keeper/index.ts";
import { listenerText } from "../../protocol/listener-text.ts";
import type { WatchSpec } from "../../protocol/watches.ts";
import { watchCondition } from "../wait/watch-condition.ts";

export type ReadySpec = Extract<WatchSpec, { kind: "port" | "http" }>;

/** What answers, for people. Resolves when it does. */
export async function watchReady(spec: ReadySpec, kept: KeptProcess, signal: AbortSignal): Promise<string> {
  await watchCondition(spec, kept, signal);
  return spec.kind === "http" ? spec.url : listenerText(spec);
}
