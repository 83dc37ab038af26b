// The operations interface, remote. Runs in Node and in browsers: what differs is the transport.
import { HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import type { Event } from "../protocol/events.ts";
import { headerName } from "../protocol/live-frames.ts";
import type { LiveOutput } from "../protocol/live-output.ts";
import type { NoticeWithText } from "../protocol/notices.ts";
import type { UsageUpdate } from "../protocol/usage.ts";
import type {
  CallOptions,
  OperationInput,
  OperationName,
  OperationOutput,
  Operations,
} from "../protocol/operations.ts";
import { Attachment } from "./attachment.ts";
import { eventStream, type EventsOptions } from "./event-stream.ts";
import { LiveStream } from "./live-stream.ts";
import { noticeStream, type NoticesOptions } from "./notice-stream.ts";
import { isLoss, Outage, type OutageOptions } from "./outage.ts";
import { checkWindow } from "./output-window.ts";
import { errorFromAnswer } from "./remote-error.ts";
import { inputForRepeat, isRepeatable } from "./repeat.ts";
import type { StreamDoor } from "./resumed-messages.ts";
import { TerminalView, type TerminalViewOptions } from "./terminal-view.ts";
import type { Transport } from "./transport.ts";
import { usageStream, type UsageOptions } from "./usage-stream.ts";
import { verbsOf, type Verb, type VerbGroup } from "./verbs.ts";

export interface ClientOptions {
  readonly transport: Transport;
  /** The session this client speaks for. */
  readonly session?: string | undefined;
  /** How long calls and streams wait for a daemon that is away; default 10 s. */
  readonly reconnectMs?: number | undefined;
  /** Starts a daemon when none answers. */
  readonly startDaemon?: (() => Promise<void>) | undefined;
  /** Told when a call or stream finds the daemon away, and when it is there again. */
  readonly onAway?: ((isAway: boolean) => void) | undefined;
}

export interface OutputStreamOptions {
  /** Absolute offset, or only what comes from now on; default: the beginning, what was dropped there being told as missing. */
  readonly from?: number | "end" | undefined;
  /** False: up to where the output ends now; default true: until the process has ended. */
  readonly follow?: boolean | undefined;
  /** How much may come ahead of the reader; default 1 MiB. */
  readonly windowBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type AttachOptions = Omit<OutputStreamOptions, "follow">;

const defaultReconnectMs = 10_000;
const defaultWindowBytes = 1024 * 1024;
const wholeId = /^p_[a-z0-9]{12}$/;

export class Client implements Operations {
  readonly process: VerbGroup<"process">;
  readonly cursor: VerbGroup<"cursor">;
  readonly session: VerbGroup<"session">;
  readonly daemon: VerbGroup<"daemon">;
  readonly config: VerbGroup<"config">;
  readonly watch: VerbGroup<"watch">;
  readonly notifications: VerbGroup<"notifications">;
  readonly lock: VerbGroup<"lock">;
  readonly job: VerbGroup<"job">;
  readonly barrier: VerbGroup<"barrier">;
  readonly delegation: VerbGroup<"delegation">;
  readonly policy: VerbGroup<"policy">;
  readonly approval: VerbGroup<"approval">;
  readonly audit: VerbGroup<"audit">;
  readonly dashboard: VerbGroup<"dashboard">;
  readonly token: VerbGroup<"token">;
  readonly terminal: VerbGroup<"terminal">;
  /** Who looks at terminals; `view` is to look oneself. */
  readonly views: VerbGroup<"view">;
  readonly gc: Verb<"gc">;
  readonly doctor: Verb<"doctor">;
  readonly #transport: Transport;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #outage: OutageOptions;
  readonly #door: StreamDoor;
  #starting: Promise<void> | undefined;
  #daemonVersion: string | undefined;

  constructor({ transport, session, reconnectMs = defaultReconnectMs, startDaemon, onAway }: ClientOptions) {
    this.#transport = transport;
    this.#headers = session === undefined ? {} : { [headerName.session]: encodeURIComponent(session) };
    this.#outage = {
      reconnectMs,
      onAway,
      startDaemon: startDaemon === undefined ? undefined : () => this.#startOnce(startDaemon),
    };
    this.#door = {
      open: (path, signal) => transport.socket({ path, headers: this.#headers, signal }),
      outage: this.#outage,
    };
    ({
      process: this.process,
      cursor: this.cursor,
      session: this.session,
      daemon: this.daemon,
      config: this.config,
      watch: this.watch,
      notifications: this.notifications,
      lock: this.lock,
      job: this.job,
      barrier: this.barrier,
      delegation: this.delegation,
      policy: this.policy,
      approval: this.approval,
      audit: this.audit,
      dashboard: this.dashboard,
      token: this.token,
      terminal: this.terminal,
      view: this.views,
      gc: this.gc,
      doctor: this.doctor,
    } = verbsOf(this));
  }

  /** Of the daemon that answered last. */
  get daemonVersion(): string | undefined {
    return this.#daemonVersion;
  }

  /**
   * While the daemon restarts, what certainly was not carried out is asked again, and so is what may be asked twice.
   * @throws HoldfastError of the daemon; DAEMON_UNREACHABLE: not carried out; DAEMON_GONE: look before you ask again;
   *   or the signal's reason
   */
  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    { signal }: CallOptions = {},
  ): Promise<OperationOutput<Name>> {
    const outage = new Outage(this.#outage);
    const beganMs = performance.now();
    let request = input;
    for (;;) {
      try {
        const answer = await this.#callOnce(name, request, signal);
        outage.over();
        return answer;
      } catch (error) {
        signal?.throwIfAborted();
        if (!isLoss(error) || !this.#mayRepeat(error, name, input)) throw error;
        await outage.afterFailure(error, true, signal);
        request = inputForRepeat(name, input, performance.now() - beganMs);
      }
    }
  }

  /** What happens, in order. Comes back by cursor after a restart of the daemon. */
  async *events(options: EventsOptions = {}): AsyncGenerator<Event, void, undefined> {
    yield* eventStream(this.#door, options);
  }

  /** What is owed, as it comes; reading it settles nothing. Comes back by cursor after a restart of the daemon. */
  async *notices(options: NoticesOptions = {}): AsyncGenerator<NoticeWithText, void, undefined> {
    yield* noticeStream(this.#door, () => this.#newestNotice(options.signal), options);
  }

  /** Live figures of all processes, the machine and the daemon. Comes back after a restart of the daemon, with every row. */
  async *usage(options: UsageOptions = {}): AsyncGenerator<UsageUpdate, void, undefined> {
    yield* usageStream(this.#door, options);
  }

  /** The output of a process as it comes. Comes back by offset after a restart of the daemon. */
  async *output(id: string, options: OutputStreamOptions = {}): AsyncGenerator<LiveOutput, void, undefined> {
    checkWindow(options);
    const { from, follow = true, windowBytes = defaultWindowBytes, signal } = options;
    const place = await this.#place(id, from, follow, signal);
    const until = follow ? Infinity : place.end;
    let next = place.from ?? 0;
    if (next < until) {
      const stream = new LiveStream(this.#door, { id: place.id, from: place.from, windowBytes, signal });
      try {
        for (let event = await stream.take(); event !== undefined; event = await stream.take()) {
          const cut = cutAt(event, until);
          yield cut;
          next = nextOf(cut);
          if (next >= until) break;
        }
      } finally {
        await stream.close();
      }
    }
    await this.#tellRead(place.id, next);
  }

  /** A session that has read the last byte after the end is not told of it again; the daemon hears so by a read of nothing. */
  async #tellRead(id: string, from: number): Promise<void> {
    if (this.#headers[headerName.session] === undefined) return;
    await this.call("process.output", { id, from, limitBytes: 1 }).catch(() => undefined); // then it is told twice
  }

  /** Output, input and size of a process at once. */
  async attach(id: string, options: AttachOptions = {}): Promise<Attachment> {
    checkWindow(options);
    const { from, windowBytes = defaultWindowBytes, signal } = options;
    const place = await this.#place(id, from, true, signal);
    return new Attachment(this.#door, { id: place.id, from: place.from, windowBytes, signal });
  }

  /** A terminal as it looks now and from now on; comes back with a whole screen after a restart of the daemon. */
  view(options: TerminalViewOptions): TerminalView {
    return new TerminalView(this.#door, options);
  }

  async #newestNotice(signal: AbortSignal | undefined): Promise<number> {
    const { newest } = await this.call(
      "notifications.list",
      { limit: 1 },
      signal === undefined ? {} : { signal },
    );
    return newest;
  }

  /** Ends its connections; processes go on. */
  close(): void {
    this.#transport.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  async #callOnce<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    signal: AbortSignal | undefined,
  ): Promise<OperationOutput<Name>> {
    const { status, headers, body } = await this.#transport.request({
      method: "POST",
      path: `/v1/${name}`,
      headers: this.#headers,
      body: JSON.stringify(input),
      signal,
    });
    this.#daemonVersion = headers[headerName.version] ?? this.#daemonVersion;
    if (status !== 200) throw errorFromAnswer(status, body);
    return parseAnswer<Name>(body);
  }

  #mayRepeat<Name extends OperationName>(
    error: HoldfastError,
    name: Name,
    input: OperationInput<Name>,
  ): boolean {
    if (name === "daemon.stop") return false;
    return isHoldfastError(error, "DAEMON_UNREACHABLE", "DAEMON_STOPPING") || isRepeatable(name, input);
  }

  /** Many calls may find the daemon missing at once. */
  #startOnce(startDaemon: () => Promise<void>): Promise<void> {
    this.#starting ??= startDaemon().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** Which process, and where in its output: fixed before the first connection, so that the second finds the same. */
  async #place(
    id: string,
    from: number | "end" | undefined,
    follow: boolean,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly id: string; readonly from: number | undefined; readonly end: number }> {
    if (wholeId.test(id) && from !== "end" && follow) return { id, from, end: Infinity };
    const view = await this.call("process.get", { id }, signal === undefined ? {} : { signal });
    const end = view.outputBytes;
    return { id: view.id, from: from === "end" ? end : from, end };
  }
}

function parseAnswer<Name extends OperationName>(body: string): OperationOutput<Name> {
  try {
    return JSON.parse(body) as OperationOutput<Name>; // made by the daemon from the same table
  } catch (error) {
    throw new HoldfastError("INTERNAL", "the daemon's answer is not JSON", { cause: error });
  }
}

/** The data of an event up to an offset. */
function cutAt(event: LiveOutput, until: number): LiveOutput {
  if (event.kind !== "data" || event.offset + event.bytes.length <= until) return event;
  return { ...event, bytes: event.bytes.subarray(0, until - event.offset) };
}

/** The offset behind an event. */
function nextOf(event: LiveOutput): number {
  if (event.kind === "data") return event.offset + event.bytes.length;
  if (event.kind === "missing") return event.to;
  return event.kind === "end" ? event.next : event.offset;
}
