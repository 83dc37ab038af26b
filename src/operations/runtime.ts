// What the daemon offers to its adapters (HTTP, WebSocket, MCP): verbs, events, and the live output of one process.
import type { LiveOutputConsumer } from "../processes/index.ts";
import type { Event } from "../protocol/events.ts";
import type { InputFrame } from "../protocol/live-frames.ts";
import type { LiveOutput } from "../protocol/live-output.ts";
import type { NoticeChange, NoticeFilter, NoticeWithText } from "../protocol/notices.ts";
import type { View, ViewOptions, ViewTold } from "../terminals/index.ts";
import type { UsageUpdate } from "../protocol/usage.ts";
import type { Caller, OperationInput, OperationName, OperationOutput } from "../protocol/operations.ts";

export interface EventsOptions {
  /** Who reads: a session is told of what it may see. */
  readonly caller: Caller;
  /** The last cursor the reader has seen; default: only what comes from now on. */
  readonly after?: number;
  /** Also tell when output grows (coalesced). */
  readonly output?: boolean;
  readonly signal?: AbortSignal;
}

export interface NoticesOptions extends NoticeFilter {
  /** Who reads: a session is told of its own. */
  readonly caller: Caller;
  /** The last cursor the reader has seen; default: only what comes from now on. */
  readonly after?: number | undefined;
  /** Also those that nobody is owed. */
  readonly recorded?: boolean | undefined;
  /** Told what becomes of any notice meanwhile, of those before the cursor too; a session is not told. */
  readonly onChange?: ((changes: readonly NoticeChange[]) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface UsageOptions {
  /** Who reads: a session is told of what it may see. */
  readonly caller: Caller;
  readonly signal?: AbortSignal | undefined;
}

export interface LiveOutputOptions {
  /** Who reads it: for a session, secrets are taken out. */
  readonly caller: Caller;
  /** Process id, prefix or name. */
  readonly id: string;
  /** Absolute offset; default: the end. */
  readonly from?: number;
  readonly signal?: AbortSignal;
}

/** One terminal as a viewer sees it. */
export interface ViewOpening extends ViewOptions {
  /** Process id, prefix or name. */
  readonly id: string;
}

export interface OpenView extends View {
  /** The process's whole id. */
  readonly process: string;
  /**
   * What the viewer typed, as `process.write` does it, with nothing to decode and to find again, so that a key costs little. Resolves with
   * the writer's next sequence.
   * @throws HoldfastError KEYBOARD_NOT_HELD, ROLE_REQUIRED, NOT_YOURS, and as `process.write`
   */
  type(input: InputFrame): Promise<number>;
}

export interface Runtime {
  /** Validates the input. @throws HoldfastError of the registry, nothing else */
  call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    caller: Caller,
    signal?: AbortSignal,
    /** Asked by verbs whose answer tells something that is then not told again; default: it is out at once. */
    answered?: () => Promise<boolean>,
  ): Promise<OperationOutput<Name>>;
  /** Of the newest stored event; 0 when there is none. */
  newestCursor(): Promise<number>;
  /** Every stored event after a cursor, then live ones. */
  events(options: EventsOptions): AsyncIterable<Event>;
  /** What is owed, by cursor; reading it settles nothing. */
  notices(options: NoticesOptions): AsyncIterable<NoticeWithText>;
  /** Live figures: all rows first, then those that changed. Sampled while somebody reads. */
  usage(options: UsageOptions): AsyncIterable<UsageUpdate>;
  /** @throws HoldfastError PROCESS_NOT_FOUND, NOT_A_TERMINAL, OUTPUT_TRIMMED */
  view(opening: ViewOpening, caller: Caller): Promise<OpenView>;
  /** Pulled: nothing is read ahead of the consumer beyond one buffer. @throws HoldfastError OUTPUT_TRIMMED, PROCESS_NOT_FOUND, NOT_YOURS */
  liveOutput(options: LiveOutputOptions): AsyncIterable<LiveOutput>;
  /** As `liveOutput`, for a consumer that is called: a line waits for no promise. Resolves when that has had the end. */
  followOutput(options: LiveOutputOptions, consume: LiveOutputConsumer): Promise<void>;
}

export type { LiveOutput, LiveOutputConsumer, ViewTold };
