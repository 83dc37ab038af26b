// The connection to the launcher of a home: made when needed, made again as soon as it is lost, with a launcher started
// or replaced on the way.
import { HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import { Backoff } from "./backoff.ts";
import { FrameChannel } from "./frame-channel.ts";
import { requestFrames } from "./frames.ts";
import {
  killLauncher,
  startLauncher,
  startLauncherOutside,
  type LauncherCommand,
} from "./launcher-process.ts";
import { connectUnixSocket } from "./socket.ts";

// Long enough to start a launcher on a loaded machine, find it stopped, and replace it.
const connectTimeoutMs = 10_000;
// A launcher does nothing that takes longer than a fork; one that is silent for this long is stopped or hung.
const greetingTimeoutMs = 2_000;
const pingTimeoutMs = 500;

export interface LauncherLinkOptions extends LauncherCommand {
  /** Run directory of the kept process that this process runs in. */
  readonly insideRun?: string | undefined;
}

export class LauncherLink {
  readonly #options: LauncherLinkOptions;
  readonly #closing = new AbortController();
  #channel: FrameChannel | undefined;
  #connecting: Promise<FrameChannel> | undefined;

  constructor(options: LauncherLinkOptions) {
    this.#options = options;
  }

  /** Ends when the link is closed. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** The open channel, if there is one: the fast path of a start. */
  get current(): FrameChannel | undefined {
    return this.#channel?.isOpen ? this.#channel : undefined;
  }

  /** @throws HoldfastError LAUNCHER_UNREACHABLE, CONTRACT_MISMATCH */
  async channel(): Promise<FrameChannel> {
    if (this.current !== undefined) return this.current;
    this.#connecting ??= this.#connectAndWatch().finally(() => {
      this.#connecting = undefined;
    });
    return await this.#connecting;
  }

  /**
   * Ends a launcher that does not answer; the next is then started, and its keepers find it. Resolves with whether this
   * launcher answered after all.
   */
  async replaceUnlessAnswering(channel: FrameChannel): Promise<boolean> {
    try {
      await channel.request(requestFrames.ping.encode({}), AbortSignal.timeout(pingTimeoutMs));
      return true;
    } catch {
      // Silent, or gone; which of the two is seen below.
    }
    // While the channel is open its launcher lives and holds the lock, so the lock file names that one and no other.
    if (!channel.isOpen || this.signal.aborted) return false;
    killLauncher(this.#options.home);
    channel.close();
    return false;
  }

  close(): void {
    this.#closing.abort(
      new HoldfastError("LAUNCHER_UNREACHABLE", "The connection to the launcher was closed by this side."),
    );
    this.#channel?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  async #connectAndWatch(): Promise<FrameChannel> {
    const channel = await this.#connect();
    this.#channel = channel;
    void this.#startAgainAfter(channel);
    return channel;
  }

  // A dead launcher is started again at once, not when somebody asks: until then nobody holds what its keepers have, and
  // a keeper that dies in that time loses its run.
  async #startAgainAfter(channel: FrameChannel): Promise<void> {
    await channel.closed;
    if (!this.signal.aborted) await this.channel().catch(() => undefined); // whoever needs it next gets the error
  }

  async #connect(): Promise<FrameChannel> {
    const backoff = new Backoff(connectTimeoutMs);
    let mayStartOutside = true;
    for (;;) {
      this.signal.throwIfAborted();
      const failure = await this.#tryConnect();
      if (failure instanceof FrameChannel) return failure;
      if (backoff.isOver) {
        const message = `The launcher of ${this.#options.home} cannot be reached.`;
        throw new HoldfastError("LAUNCHER_UNREACHABLE", message, { cause: failure.reason });
      }
      if (mayStartOutside && (await startLauncherOutside(this.#options, this.#options.insideRun))) {
        const channel = await this.#waitForOutside();
        if (channel !== undefined) return channel;
      }
      mayStartOutside = false;
      await startLauncher(this.#options, backoff.remainingMs + 1);
      const channel = await this.#tryConnect();
      if (channel instanceof FrameChannel) return channel;
      // Another one owns the home and does not listen yet, or is just dying.
      await backoff.wait(this.signal);
    }
  }

  /** It is nobody's child here, so its coming is only seen by trying. */
  async #waitForOutside(): Promise<FrameChannel | undefined> {
    const backoff = new Backoff(greetingTimeoutMs);
    while (!backoff.isOver) {
      await backoff.wait(this.signal);
      const channel = await this.#tryConnect();
      if (channel instanceof FrameChannel) return channel;
    }
    return undefined;
  }

  async #tryConnect(): Promise<FrameChannel | { readonly reason: unknown }> {
    try {
      const socket = await connectUnixSocket(this.#options.home, "launcher.sock", this.signal);
      const channel = new FrameChannel(socket, { peer: "launcher", onPush: () => undefined });
      await channel.greeted(greetingTimeoutMs, this.signal);
      return channel;
    } catch (error) {
      this.signal.throwIfAborted();
      if (isHoldfastError(error, "CONTRACT_MISMATCH")) throw error;
      // It let us in and said nothing: stopped or hung. Whoever waits for it would wait for ever.
      if (isHoldfastError(error) && "timeoutMs" in error.details) killLauncher(this.#options.home);
      return { reason: error };
    }
  }
}
