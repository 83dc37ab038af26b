// One start on its way: asked of the launcher, asked again of the next one if it dies, given up at its deadline, and
// followed to its end.
import type { ExitRecord, StartStage } from "../protocol/exit.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { parseExitRecord } from "./exit-record.ts";
import { confinementMinor, confinementUnavailable } from "./confinement.ts";
import type { FrameChannel } from "./frame-channel.ts";
import { answerFrames, errorOfFrame, type Frame } from "./frames.ts";
import { frameType, startStageOf } from "./numbers.ts";

export interface StartedRun {
  readonly kind: "started";
  readonly id: string;
  readonly directory: string;
  readonly pid: number;
  readonly keeperPid: number;
  /** Kernel start time of the child. */
  readonly childStart: number;
  /** Told by the launcher; if that dies, by whoever keeps the run. Rejects only when this side closes or nobody answers. */
  readonly ended: Promise<ExitRecord>;
}

/** A child that could not be started is a result, not an error. */
export interface FailedStart {
  readonly kind: "failed";
  readonly id: string;
  readonly stage: StartStage;
  readonly errno: number;
}

export type StartOutcome = StartedRun | FailedStart;

/** What a pending start needs from its launcher. */
export interface StartHost {
  /** The open channel. */
  readonly current: FrameChannel | undefined;
  channel(): Promise<FrameChannel>;
  /** What became of a run that an earlier launcher started for the same question. */
  adopt(pending: PendingStart): Promise<StartOutcome>;
  waitForEnd(pending: PendingStart): Promise<ExitRecord>;
  /** The start was given up: sees to it that nothing of it goes on. Asked again, it does it again. */
  abandon(pending: PendingStart): void;
  /** No answer came on this channel. */
  suspect(channel: FrameChannel): void;
}

export interface PendingStartOptions {
  readonly id: string;
  readonly directory: string;
  readonly startToken: string;
  readonly encoded: Buffer;
  readonly timeoutMs: number;
  readonly isConfined: boolean;
}

// Timers count whole milliseconds from a clock read before: never before the deadline that the keeper looks at.
const timerSlackMs = 2;

export class PendingStart {
  readonly id: string;
  readonly directory: string;
  readonly startToken: string;
  readonly outcome: Promise<StartOutcome>;
  readonly #host: StartHost;
  readonly #options: PendingStartOptions;
  readonly #answer = Promise.withResolvers<StartOutcome>();
  readonly #ended = Promise.withResolvers<ExitRecord>();
  readonly #timer: NodeJS.Timeout;
  #phase: "asking" | "given_up" | "started" | "over" = "asking";
  #channel: FrameChannel | undefined;
  #hasLostAnAnswer = false;

  constructor(host: StartHost, options: PendingStartOptions) {
    this.id = options.id;
    this.directory = options.directory;
    this.startToken = options.startToken;
    this.outcome = this.#answer.promise;
    this.#host = host;
    this.#options = options;
    this.#ended.promise.catch(() => undefined); // nobody has to wait for the end
    this.#timer = setTimeout(() => this.#giveUp(), options.timeoutMs + timerSlackMs);
    this.#ask();
  }

  /** Milliseconds that are certainly over at the deadline. */
  get timeoutMs(): number {
    return this.#options.timeoutMs;
  }

  #ask(): void {
    const channel = this.#host.current;
    if (channel !== undefined) {
      this.#askOn(channel);
      return;
    }
    this.#host.channel().then(
      (connected) => this.#askOn(connected),
      (error: unknown) => this.#failInDoubt(error),
    );
  }

  #askOn(channel: FrameChannel): void {
    if (this.#phase !== "asking") return;
    this.#channel = channel;
    // Looked at for each launcher that is asked: one that does not know confinement would start the child without.
    if (this.#options.isConfined && channel.peerMinor < confinementMinor) {
      this.#failInDoubt(olderLauncher(this.id));
      return;
    }
    channel.ask(this.#options.encoded, {
      frame: (frame) => this.#receive(frame),
      lost: () => this.#lost(),
    });
  }

  /** True after the last frame that matters. */
  #receive(frame: Frame): boolean {
    switch (frame.type) {
      case frameType.started:
        return this.#started(frame);
      case frameType.startFailed:
        this.#startFailed(frame);
        return true;
      case frameType.ended:
        this.#endedBy(answerFrames.ended.decode(frame.payload).text);
        return true;
      case frameType.error:
        this.#refused(errorOfFrame(frame.payload));
        return true;
      default:
        return false; // a newer minor version's
    }
  }

  #started(frame: Frame): boolean {
    if (this.#phase !== "asking") {
      // The answer crossed the deadline: the caller has been told that nothing runs.
      this.#host.abandon(this);
      return true;
    }
    const { keeperPid, pid, childStart } = answerFrames.started.decode(frame.payload);
    const { id, directory } = this;
    this.#settle({ kind: "started", id, directory, pid, keeperPid, childStart, ended: this.#ended.promise });
    this.#phase = "started";
    return false;
  }

  #startFailed(frame: Frame): void {
    const { stage, errno } = answerFrames.startFailed.decode(frame.payload);
    const name = startStageOf(stage) ?? "keeper";
    if (name === "deadline") this.#failInDoubt(timedOut(this));
    else this.#settle({ kind: "failed", id: this.id, stage: name, errno });
  }

  #refused(error: HoldfastError): void {
    const mayBeOurs = error.code === "RUN_CLAIMED" && this.#hasLostAnAnswer;
    if (mayBeOurs) void this.#adopt();
    else this.#fail(error);
  }

  async #adopt(): Promise<void> {
    try {
      this.#settle(await this.#host.adopt(this));
    } catch (error) {
      this.#failInDoubt(error);
    }
  }

  #lost(): void {
    if (this.#phase === "asking") {
      this.#hasLostAnAnswer = true;
      this.#ask();
    } else if (this.#phase === "given_up") {
      this.#host.abandon(this);
    } else if (this.#phase === "started") {
      this.#watch();
    }
  }

  #endedBy(text: Buffer): void {
    const record = parseExitRecord(text);
    if (record === undefined) this.#watch();
    else this.#ended.resolve(record);
  }

  #watch(): void {
    this.#host.waitForEnd(this).then(this.#ended.resolve, this.#ended.reject);
  }

  #giveUp(): void {
    this.#failInDoubt(timedOut(this));
    this.#phase = "given_up";
    if (this.#channel !== undefined) this.#host.suspect(this.#channel);
  }

  #settle(outcome: StartOutcome): void {
    if (this.#phase !== "asking") {
      if (outcome.kind === "started") this.#host.abandon(this);
      return;
    }
    clearTimeout(this.#timer);
    this.#phase = "over";
    this.#answer.resolve(outcome);
  }

  #fail(error: unknown): void {
    if (this.#phase !== "asking") return;
    clearTimeout(this.#timer);
    this.#phase = "over";
    this.#answer.reject(error);
  }

  /** The caller is told that there is no such process, so there must be none. */
  #failInDoubt(error: unknown): void {
    this.#fail(error);
    this.#host.abandon(this);
  }
}

function olderLauncher(id: string): HoldfastError {
  return confinementUnavailable(
    "the launcher of this home is from an older release",
    { id },
    "End the process that launcher.lock in the home names (kill PID): the daemon starts a new one at once, and what runs is not touched.",
  );
}

function timedOut(pending: PendingStart): HoldfastError {
  const message = `The start of ${pending.id} was not answered within ${pending.timeoutMs} ms.`;
  return new HoldfastError("START_TIMEOUT", message, {
    details: { id: pending.id, timeoutMs: pending.timeoutMs },
  });
}
