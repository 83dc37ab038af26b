// The door of the operations.
export { createRuntime } from "./create-runtime.ts";
export type { DaemonSelf, OperationContext } from "./context.ts";
export { SessionInterrupts } from "./session-interrupts.ts";
export type { EventsOptions, LiveOutput, LiveOutputOptions, Runtime } from "./runtime.ts";
