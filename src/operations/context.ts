// What every operation may use.
import type { Access } from "../access/index.ts";
import type { ConfigStore } from "../config/index.ts";
import type { NotificationContext } from "../notifications/index.ts";
import type { Policy } from "../policy/index.ts";
import type { ProcessContext, StartGate } from "../processes/index.ts";
import type { Redactor } from "../redaction/index.ts";
import type { Terminals } from "../terminals/index.ts";
import type { DaemonStatus } from "../protocol/daemon.ts";
import type { Caller, OperationName, OperationOutput, OperationRequest } from "../protocol/operations.ts";
import type { BusySources } from "./busy-sources.ts";
import type { RequestLog } from "./request-log.ts";
import type { SessionInterrupts } from "./session-interrupts.ts";

/** The daemon about itself; given by whoever composes it. */
export interface DaemonSelf {
  status(): Promise<DaemonStatus>;
  /** Returns at once; the daemon goes when the answer is out. */
  requestStop(request: StopRequest): void;
  readonly isStopping: boolean;
  /** How long it may still be there: when to ask its successor. */
  readonly leavesInMs: number;
}

export interface StopRequest {
  /** How long open waits may go on; default: as configured. */
  readonly drainMs?: number | undefined;
  readonly restart: boolean;
  readonly requestId: string;
}

/** Where people reach the daemon by the network; given by whoever composes it. */
export interface Dashboard {
  /** Its address. Listens from here on, if it did not. @throws HoldfastError DASHBOARD_UNAVAILABLE, CONFIG_INVALID */
  open(): Promise<string>;
}

export interface OperationContext {
  readonly processes: ProcessContext;
  readonly notifications: NotificationContext;
  readonly redactor: Redactor;
  readonly policy: Policy;
  readonly access: Access;
  readonly dashboard: Dashboard;
  readonly terminals: Terminals;
  readonly gate: StartGate;
  readonly config: ConfigStore;
  readonly interrupts: SessionInterrupts;
  readonly busy: BusySources;
  readonly daemon: DaemonSelf;
  readonly requests: RequestLog;
}

export type Answered = () => Promise<boolean>;

export interface Call<Name extends OperationName> {
  readonly input: OperationRequest<Name>;
  readonly caller: Caller;
  /** The caller went away, or the daemon goes. */
  readonly signal: AbortSignal;
  /** Resolves when the answer is out; false: it will never reach the caller. */
  readonly answered: Answered;
}

export type Handler<Name extends OperationName> = (
  context: OperationContext,
  call: Call<Name>,
) => Promise<OperationOutput<Name>>;
