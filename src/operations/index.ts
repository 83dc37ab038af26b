// The door of the operations.
export { createRuntime } from "./create-runtime.ts";
export { forKnownCallers } from "./authorise.ts";
export type { DaemonSelf, Dashboard, OperationContext, StopRequest } from "./context.ts";
export { BusySources } from "./busy-sources.ts";
export type { BusySource } from "./busy-sources.ts";
export { RequestLog } from "./request-log.ts";
export { SessionInterrupts } from "./session-interrupts.ts";
export type { EventsOptions, LiveOutput, LiveOutputOptions, Runtime } from "./runtime.ts";
