// The screen of one process: its output is read, drawn in slices, and told to viewers. When nobody looks and nothing is written for a while,
// the emulator is put away in a checkpoint, and made again from it.
import { setTimeout as delay } from "node:timers/promises";
import { KeptProcess, type RunTarget } from "../../keeper/index.ts";
import { toFailure } from "../../protocol/thread-failure.ts";
import type { Answers } from "./answers.ts";
import { Checkpoints } from "./checkpoints.ts";
import { readCheckpoint, type Checkpoint } from "./checkpoint-file.ts";
import { beginAt } from "./first-offset.ts";
import { followOutput } from "./follow-output.ts";
import type { Followed, Look } from "./messages.ts";
import { OutputQueue, type OutputStep } from "./output-queue.ts";
import { askToRepaint } from "./repaint.ts";
import { Screen, type ScreenStart } from "./screen.ts";
import { ScreenViews } from "./screen-views.ts";
import type { Sliced, Slices } from "./slices.ts";
import { shownTitle, type ViewFeed } from "./view-feed.ts";

export interface LiveScreenOptions {
  readonly followed: Followed;
  readonly target: RunTarget;
  readonly slices: Slices;
  readonly onProblem: (error: unknown) => void;
  /** Its output cannot be read: it is of no use any more. */
  readonly onBroken: () => void;
}

// An answer that the program does not read is not waited for.
const settleMs = 1_000;

type PendingLook = PromiseWithResolvers<Look> & { readonly offset: number };

export class LiveScreen implements Sliced {
  readonly #options: LiveScreenOptions;
  readonly #kept: KeptProcess;
  readonly #closing = new AbortController();
  readonly #queue = new OutputQueue();
  readonly #views = new ScreenViews(() => this.#options.slices.add(this));
  readonly #begun: Promise<void>;
  #looks: PendingLook[] = [];
  #answers: Answers | undefined;
  /** The end of the output when we came. */
  #known = 0;
  #checkpoints: Checkpoints | undefined;
  #screen: Screen | undefined;
  /** What it is made of when it is needed; undefined: of the checkpoint. */
  #start: ScreenStart | undefined;
  #isWaking = false;
  #resizedUs = -1;
  #mayBeWrong = false;
  #hasEnded = false;
  #usedAt = performance.now();

  constructor(options: LiveScreenOptions) {
    this.#options = options;
    this.#kept = new KeptProcess(options.target);
    this.#begun = this.#begin();
    this.#begun.catch((error: unknown) => this.#failed(error));
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Nothing was written and nobody looked for so long. */
  get idleMs(): number {
    return this.#views.isEmpty && this.#looks.length === 0 ? performance.now() - this.#usedAt : 0;
  }

  get isAwake(): boolean {
    return this.#screen !== undefined;
  }

  addView(view: number, feed: ViewFeed): void {
    this.#views.add(view, feed, this.#hasEnded);
    this.viewIsReady();
  }

  /** Something may be sent to a viewer that could not be before. */
  viewIsReady(): void {
    this.#options.slices.add(this);
  }

  removeView(view: number): void {
    this.#views.remove(view);
    this.#usedAt = performance.now();
  }

  /** As it is when everything that was written until now is drawn. @throws as the output cannot be read */
  async look(): Promise<Look> {
    this.#usedAt = performance.now();
    await this.#begun;
    const { outputBytes } = await this.#kept.state();
    const look = { ...Promise.withResolvers<Look>(), offset: outputBytes };
    this.#looks.push(look);
    this.#options.slices.add(this);
    return await look.promise;
  }

  slice(until: number): boolean {
    const screen = this.#screen ?? this.#wake();
    if (screen === undefined) return false;
    const before = screen.offset;
    while (performance.now() < until && this.#step(screen, until));
    if (screen.offset !== before) this.#advanced(screen);
    const isBehind = screen.isBehind || !this.#queue.isEmpty;
    if (!isBehind && this.#mayBeWrong) {
      this.#mayBeWrong = false;
      void askToRepaint(this.#kept);
    }
    this.#views.flush(screen);
    this.#answerLooks(screen);
    return isBehind;
  }

  /** Into its checkpoint, unless it is needed. */
  async putAway(): Promise<void> {
    const screen = this.#screen;
    // What was read and not drawn would be lost: a checkpoint ends where drawing did.
    if (screen === undefined || screen.readTo !== screen.offset) return;
    const { offset } = screen;
    const isKept = (await this.#checkpoints?.keep(offset)) ?? false;
    const isUsed = screen.readTo !== offset || this.idleMs === 0 || !this.#queue.isEmpty;
    if (!isKept || isUsed || this.#screen !== screen) return;
    this.#screen = undefined;
    screen.dispose();
  }

  /** Keeps what would take long to draw again. */
  async close(): Promise<void> {
    this.#leave();
    await this.#checkpoints?.close(this.#screen?.offset);
    this.#dispose();
  }

  /** Keeps nothing: the process is removed. */
  async abandon(): Promise<void> {
    this.#leave();
    await this.#checkpoints?.abandon();
    this.#dispose();
  }

  #leave(): void {
    this.#closing.abort();
    this.#options.slices.remove(this);
    this.#queue.clear();
  }

  #dispose(): void {
    this.#kept.close();
    this.#screen?.dispose();
    this.#screen = undefined;
  }

  async #begin(): Promise<void> {
    const { followed, onProblem } = this.#options;
    const { start, resizedUs, known, answers, checkpointOffset } = await beginAt(followed, this.#kept);
    this.#answers = answers;
    this.#known = known;
    this.#resizedUs = resizedUs;
    this.#start = checkpointOffset === undefined ? start : undefined;
    const settle = async (): Promise<void> => {
      await Promise.race([answers.settled, delay(settleMs, undefined, { ref: false })]);
    };
    const { directory } = followed;
    const take = (): Checkpoint | undefined => this.#checkpoint();
    this.#checkpoints = new Checkpoints({ directory, take, settle, onProblem }, checkpointOffset);
    this.#options.slices.add(this);
    this.#follow(start.offset).catch((error: unknown) => this.#failed(error));
  }

  async #follow(from: number): Promise<void> {
    const onStep = (step: OutputStep): Promise<void> | undefined => {
      if (this.#closing.signal.aborted) return undefined;
      this.#usedAt = performance.now();
      const room = this.#queue.push(step);
      this.#options.slices.add(this);
      return room;
    };
    const { signal } = this.#closing;
    const position = { from, resizedUs: this.#resizedUs, boundary: this.#known };
    await followOutput({ kept: this.#kept, ...position, signal, onStep });
  }

  /** The screen, if it can be made at once; later it is tried again. */
  #wake(): Screen | undefined {
    const isNeeded = !this.#queue.isEmpty || this.#looks.length > 0 || !this.#views.isEmpty;
    if (!isNeeded || this.#checkpoints === undefined) return undefined;
    if (this.#start !== undefined) return this.#makeScreen(this.#start);
    if (this.#isWaking) return undefined;
    this.#isWaking = true;
    this.#restore()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#isWaking = false;
      });
    return undefined;
  }

  async #restore(): Promise<void> {
    const checkpoint = await readCheckpoint(this.#options.followed.directory);
    if (this.#closing.signal.aborted) return;
    if (checkpoint === undefined) throw new Error("The checkpoint of a screen is gone.");
    this.#makeScreen(checkpoint);
    this.#options.slices.add(this);
  }

  #makeScreen(start: ScreenStart): Screen {
    this.#start = undefined;
    this.#screen = new Screen(start, {
      onAnswer: (text, offset) => this.#answers?.type(text, offset),
      onDrawn: (drawn) => this.#views.drawn(drawn),
    });
    return this.#screen;
  }

  /** True: something was done, and there may be more. */
  #step(screen: Screen, until: number): boolean {
    if (screen.isBehind) {
      screen.draw(until);
      return true;
    }
    const step = this.#queue.take();
    if (step === undefined) return false;
    if (step.kind === "data") screen.push(step.bytes);
    else this.#apply(screen, step);
    return true;
  }

  #apply(screen: Screen, step: Exclude<OutputStep, { kind: "data" }>): void {
    const { offset } = screen;
    if (step.kind === "resized") {
      screen.resize(step.size);
      this.#resizedUs = step.atUs;
      this.#views.tell({ kind: "resized", offset, ...screen.size });
    } else if (step.kind === "missing") {
      screen.skip(step.missing);
      if (step.missing.from < this.#known) this.#answers?.muteBefore(this.#known);
      this.#mayBeWrong = true;
      this.#views.renew("trimmed");
    } else {
      this.#hasEnded = true;
      this.#views.tell({ kind: "end", offset });
      void this.#checkpoints?.keep(offset);
    }
  }

  #advanced(screen: Screen): void {
    this.#usedAt = performance.now();
    this.#checkpoints?.advanced(screen.offset);
    this.#views.title(shownTitle(screen.title));
  }

  #checkpoint(): Checkpoint | undefined {
    const screen = this.#screen;
    if (screen?.isBetweenSequences !== true || this.#answers === undefined) return undefined;
    const { offset, size, history, missing } = screen;
    const counted = { resizedUs: this.#resizedUs, ...this.#answers.state };
    return { offset, ...size, ...counted, history, missing, state: screen.state() };
  }

  #answerLooks(screen: Screen): void {
    const waiting = this.#looks;
    this.#looks = waiting.filter(({ offset }) => screen.readTo < offset);
    for (const look of waiting) if (screen.readTo >= look.offset) look.resolve(lookOf(screen));
  }

  #failed(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    for (const look of this.#looks.splice(0)) look.reject(error);
    this.#views.fail(toFailure(error));
    this.#options.onBroken();
  }
}

function lookOf(screen: Screen): Look {
  const { offset, missing, size } = screen;
  return { ...screen.render(), ...size, title: shownTitle(screen.title), offset, missing };
}
