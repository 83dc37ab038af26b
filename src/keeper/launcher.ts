// The launcher of a home, as seen by a program that starts processes through it (CONTRACT.md §4.1).
import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import type { ExitRecord } from "../protocol/exit.ts";
import { HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import { abandonRun } from "./abandon-run.ts";
import { adoptStart } from "./adopt-start.ts";
import type { FrameChannel } from "./frame-channel.ts";
import { answerFrames, requestFrames, type Frame } from "./frames.ts";
import { LauncherLink } from "./launcher-link.ts";
import { runVariable } from "./launcher-process.ts";
import { PendingStart, type StartHost, type StartOutcome } from "./pending-start.ts";
import { waitForEnd, type LocalRun, type Recovered } from "./reach-keeper.ts";
import { checkRunId, runDirectory } from "./run-directory.ts";
import { encodeStart, setDeadline, type StartRequest } from "./start-request.ts";
import { parseText, textNumber, textValue } from "./text-format.ts";

const defaultStartTimeoutMs = 5_000;
const answerTimeoutMs = 5_000;
// It stops what is left of a tree, with its grace, and looks at every process of the machine more than once.
const recoverTimeoutMs = 30_000;
const mostAttempts = 3;
const nsPerMs = 1_000_000n;

export interface LauncherOptions {
  readonly home: string;
  /** Path of the keeper binary: see installBinary. */
  readonly binary: string;
  /** Of this process; tells whether it runs inside a kept process. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Connect when first needed, and not before: for a home that cannot have a launcher now. */
  readonly isLazy?: boolean;
}

export interface StartOptions {
  /** Default 5,000. */
  readonly timeoutMs?: number;
}

/** Called once: asks for the child. As Launcher.start, with what can be wrong with the request ruled out. */
export type BeginStart = (options?: StartOptions) => Promise<StartOutcome>;

export interface LauncherStatus {
  readonly pid: number;
  readonly startTime: number;
  readonly bootId: string;
  readonly contract: string;
  readonly build: string;
  /** Runs whose descriptors it holds. */
  readonly held: number;
  /** Run directories made ahead of need. */
  readonly spares: number;
}

export class Launcher {
  readonly home: string;
  readonly #link: LauncherLink;
  readonly #host: StartHost;
  readonly #background = new Set<Promise<unknown>>();
  readonly #tokenPrefix = randomBytes(8).toString("hex");
  #startCount = 0;

  private constructor(home: string, link: LauncherLink) {
    this.home = home;
    this.#link = link;
    this.#host = this.#makeHost();
  }

  /** Connects to the launcher of the home; starts one if there is none. @throws HoldfastError LAUNCHER_UNREACHABLE */
  static async open(options: LauncherOptions): Promise<Launcher> {
    const home = resolve(options.home);
    await mkdir(home, { recursive: true, mode: 0o700 });
    const insideRun = (options.environment ?? process.env)[runVariable];
    const launcher = new Launcher(home, new LauncherLink({ home, binary: options.binary, insideRun }));
    if (options.isLazy !== true) await launcher.#link.channel();
    return launcher;
  }

  /**
   * Resolves when the child has been executed, or could not be.
   * @throws HoldfastError START_TIMEOUT (nothing of it goes on running), RUN_CLAIMED, INVALID_ARGUMENT, REQUEST_TOO_LARGE,
   * LAUNCHER_UNREACHABLE, CONFINEMENT_UNAVAILABLE (of an older launcher; what the machine lacks is an outcome)
   */
  async start(request: StartRequest, options: StartOptions = {}): Promise<StartOutcome> {
    return await this.prepare(request)(options);
  }

  /**
   * For a caller who must know that a request is sound before it gives up something else for it.
   * @throws HoldfastError INVALID_ARGUMENT, REQUEST_TOO_LARGE
   */
  prepare(request: StartRequest): BeginStart {
    const { id } = request;
    const directory = runDirectory(this.home, id);
    const startToken = `${this.#tokenPrefix}-${++this.#startCount}`;
    const encoded = encodeStart(request, { directory, startToken });
    const isConfined = request.confinement !== undefined;
    return async ({ timeoutMs = defaultStartTimeoutMs } = {}) => {
      this.#link.signal.throwIfAborted();
      setDeadline(encoded, process.hrtime.bigint() + BigInt(Math.ceil(timeoutMs)) * nsPerMs);
      const asked = { id, directory, startToken, encoded, timeoutMs, isConfined };
      return await new PendingStart(this.#host, asked).outcome;
    };
  }

  /**
   * Sees to it that a run has a keeper or an exit record.
   * @throws HoldfastError RUN_NOT_FOUND, LAUNCHER_UNREACHABLE
   */
  async recover(id: string): Promise<Recovered> {
    checkRunId(id);
    const encode = (): Buffer => requestFrames.recover.encode({ id: Buffer.from(id) });
    const frame = await this.#ask(encode, recoverTimeoutMs);
    return answerFrames.ok.decode(frame.payload).value === 2n ? "ended" : "kept";
  }

  /** The run as a target for KeptProcess, with this launcher to recover it. */
  run(id: string): LocalRun {
    checkRunId(id);
    return { directory: runDirectory(this.home, id), recover: () => this.recover(id) };
  }

  async status(): Promise<LauncherStatus> {
    const frame = await this.#ask(() => requestFrames.status.encode({}));
    const lines = parseText(answerFrames.state.decode(frame.payload).text.toString());
    return {
      pid: textNumber(lines, "pid") ?? 0,
      startTime: textNumber(lines, "start") ?? 0,
      bootId: textValue(lines, "boot") ?? "",
      contract: textValue(lines, "contract") ?? "",
      build: textValue(lines, "build") ?? "",
      held: textNumber(lines, "held") ?? 0,
      spares: textNumber(lines, "spares") ?? 0,
    };
  }

  async ping(): Promise<void> {
    await this.#ask(() => requestFrames.ping.encode({}));
  }

  /** The launcher and every run go on. Starts and ends that are waited for here reject with LAUNCHER_UNREACHABLE. */
  async close(): Promise<void> {
    this.#link.close();
    await Promise.all(this.#background);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Only for what may be asked twice: asks again when the launcher dies over the question or had to be replaced.
   * @param patienceMs how long a launcher that answers others may be at work on this
   */
  async #ask(encode: () => Buffer, patienceMs = answerTimeoutMs): Promise<Frame> {
    const endMs = performance.now() + patienceMs;
    for (let attempt = 1; ; attempt++) {
      const channel = await this.#link.channel();
      const timeout = AbortSignal.timeout(answerTimeoutMs);
      try {
        return await channel.request(encode(), timeout);
      } catch (error) {
        this.#link.signal.throwIfAborted();
        const isLost = isHoldfastError(error, "LAUNCHER_UNREACHABLE");
        if (!isLost && !timeout.aborted) throw error;
        const isAtWork = !isLost && (await this.#link.replaceUnlessAnswering(channel));
        if (isAtWork ? performance.now() < endMs : attempt < mostAttempts) continue;
        const message = `The launcher did not answer within ${patienceMs} ms.`;
        throw isLost ? error : new HoldfastError("LAUNCHER_UNREACHABLE", message, { cause: error });
      }
    }
  }

  #makeHost(): StartHost {
    const link = this.#link;
    const wait = (pending: PendingStart): Promise<ExitRecord> =>
      waitForEnd(this.run(pending.id), { signal: link.signal });
    return {
      get current(): FrameChannel | undefined {
        return link.current;
      },
      channel: () => link.channel(),
      waitForEnd: wait,
      adopt: (pending) =>
        adoptStart(pending, { run: this.run(pending.id), signal: link.signal, waitForEnd: wait }),
      abandon: (pending) => this.#inBackground(abandonRun(pending, link.signal)),
      suspect: (channel) => this.#inBackground(link.replaceUnlessAnswering(channel)),
    };
  }

  #inBackground(work: Promise<unknown>): void {
    const tracked = work.finally(() => this.#background.delete(tracked));
    this.#background.add(tracked);
  }
}
