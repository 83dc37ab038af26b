// What every operation may use.
import type { ConfigStore } from "../config/index.ts";
import type { ProcessContext, StartGate } from "../processes/index.ts";
import type { DaemonStatus } from "../protocol/daemon.ts";
import type { Caller, OperationName, OperationOutput, OperationRequest } from "../protocol/operations.ts";
import type { SessionInterrupts } from "./session-interrupts.ts";

/** The daemon about itself; given by whoever composes it. */
export interface DaemonSelf {
  status(): Promise<DaemonStatus>;
  /** Returns at once; the daemon goes when the answer is out. */
  requestStop(): void;
  readonly isStopping: boolean;
}

export interface OperationContext {
  readonly processes: ProcessContext;
  readonly gate: StartGate;
  readonly config: ConfigStore;
  readonly interrupts: SessionInterrupts;
  readonly daemon: DaemonSelf;
}

export interface Call<Name extends OperationName> {
  readonly input: OperationRequest<Name>;
  readonly caller: Caller;
  /** The caller went away, or the daemon goes. */
  readonly signal: AbortSignal;
}

export type Handler<Name extends OperationName> = (
  context: OperationContext,
  call: Call<Name>,
) => Promise<OperationOutput<Name>>;
