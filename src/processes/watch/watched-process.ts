// The watches of one process while it lives: what they find becomes steps, which are stored one after the other.
import { setTimeout as delay } from "node:timers/promises";
import { runDirectory } from "../../keeper/index.ts";
import { HoldfastError } from "../../protocol/errors.ts";
import type { ExitRecord } from "../../protocol/exit.ts";
import type { ProcessRecord, WatchRecord } from "../../store/index.ts";
import type { WatchEnd } from "../end-notice.ts";
import { outputEnd } from "../output/find-lines.ts";
import { finishOutput } from "./finish-output.ts";
import { foundInBatch, nothingFound, type Found } from "./found.ts";
import { OutputLanes, type LaneBatch } from "./output-lanes.ts";
import type { Pushing } from "./pushing.ts";
import { pushDueAt } from "./push-policy.ts";
import { StateWatches } from "./state-watches.ts";
import { StepStore } from "./step-store.ts";
import { beginning, progressOf, withoutWatches, withWatch, type WatchBook } from "./watch-book.ts";
import { keepOf, type WatchHost } from "./watch-host.ts";
import { endStep, findStep, lateEnd, lateEndStep, type Step } from "./watch-step.ts";
import type { WorkerLink } from "./worker-link.ts";
import type { Gap } from "./worker-messages.ts";

// Until output can be read again.
const readAgainMs = 1_000;
// How long the end waits, so that whoever hears of it finds what was written last looked at: a matcher takes a second for all that is
// kept. It may take longer on a busy machine, or with patterns made to be slow.
const longestEndMs = 5_000;

export interface WatchedProcessOptions {
  readonly host: WatchHost;
  readonly link: WorkerLink;
  readonly pushing: Pushing;
  readonly record: ProcessRecord;
  readonly book: WatchBook;
}

export class WatchedProcess {
  readonly #options: WatchedProcessOptions;
  readonly #directory: string;
  readonly #lanes: OutputLanes;
  readonly #states: StateWatches;
  readonly #steps: StepStore;
  #book: WatchBook;
  #timer: NodeJS.Timeout | undefined;
  #state: "new" | "open" | "ending" | "closed" = "new";
  /** Tells an end that waits that the store takes nothing, or that the daemon goes. */
  #failed = newFailure();
  #end: Promise<WatchEnd> | undefined;
  #isLate = false;

  constructor(options: WatchedProcessOptions) {
    const { host, link, record } = options;
    this.#options = options;
    this.#book = beginning(options.book);
    this.#directory = runDirectory(host.home, record.id);
    this.#steps = new StepStore(host, record);
    this.#lanes = new OutputLanes({
      link,
      directory: this.#directory,
      recover: () => host.launcher.recover(record.id),
      keep: () => keepOf(host),
      source: () => this.#book,
      onBatch: (batch) => void this.#take(foundInBatch(batch), batch),
      onFailed: (error) => this.#readLater(error),
    });
    this.#states = new StateWatches({
      host,
      record,
      standing: () => this.#book.standing,
      take: (found) => this.#take(found),
    });
  }

  /** The process runs. */
  open(): void {
    if (this.#state !== "new") return;
    this.#state = "open";
    this.#lanes.open();
    for (const watch of this.#book.watches) this.#states.open(watch);
    this.#arm();
  }

  /** Resolves with the watch as it is stored. @throws HoldfastError PROCESS_ENDED, STORE_… */
  async add(watch: WatchRecord): Promise<WatchRecord> {
    return await this.#steps.inTurn(async () => {
      if (this.#state !== "open") {
        throw new HoldfastError("PROCESS_ENDED", `${watch.processId} has ended: nothing more comes of it.`);
      }
      const book = withWatch(this.#book, watch, await outputEnd(this.#directory));
      const added = book.watches.find(({ id }) => id === watch.id) ?? watch;
      await this.#store(book, [added]);
      this.#lanes.open();
      this.#states.open(added);
      return added;
    });
  }

  /** From the store it is removed by the caller. */
  async remove(id: string): Promise<void> {
    await this.#steps.inTurn(async () => {
      this.#states.close(id);
      await this.#store(withoutWatches(this.#book, [id]), []);
      if (this.#state === "open") this.#lanes.open();
    });
  }

  inputGiven(): void {
    this.#states.inputGiven();
  }

  /**
   * Looks at everything it wrote, then tells what belongs into the commit of the end. Nobody waits long for that: where there is
   * more to look at, the end is made known without it, and `tellEnd` goes on. @throws HoldfastError STORE_…
   */
  async end(exit: ExitRecord): Promise<WatchEnd> {
    this.#end ??= this.#settle(exit).catch((error: unknown) => {
      this.#end = undefined; // asked again when the store may take something
      throw error;
    });
    return await this.#end;
  }

  /** Its end is known, and not told yet. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** Of an end that is known: looks at the rest, whatever it takes; then the end is told. @throws HoldfastError DAEMON_STOPPING */
  async tellEnd(exit: ExitRecord): Promise<void> {
    this.#beginEnd();
    this.#steps.isPatient = true;
    const { pushing, host, record } = this.#options;
    const gap = await this.#lookAtAll(exit, host.signal);
    const current = (await host.registry.get(record.id)) ?? record;
    await this.#steps.put(
      () => lateEndStep(this.#book, { record: current, pushing, exit, gap }),
      () => undefined,
    );
  }

  /** An end that is waited for is left to the next daemon. */
  close(): void {
    this.#state = "closed";
    this.#failed.reject(daemonStopping());
    clearTimeout(this.#timer);
    this.#steps.close();
    this.#lanes.close();
    this.#states.closeAll();
  }

  #beginEnd(): void {
    if (this.#state === "closed") throw daemonStopping();
    this.#state = "ending";
    this.#states.closeAll();
    clearTimeout(this.#timer);
    this.#failed = newFailure();
  }

  async #settle(exit: ExitRecord): Promise<WatchEnd> {
    this.#beginEnd();
    this.#steps.isPatient = false;
    const over = new AbortController();
    const late = delay(longestEndMs, "late" as const, { signal: over.signal, ref: false });
    late.catch(() => undefined); // it was not needed
    let gap: Gap | undefined;
    try {
      const looked = await Promise.race([this.#lookAtAll(exit, over.signal), late]);
      this.#isLate = looked === "late";
      if (looked === "late") {
        this.#end = undefined; // if it cannot be stored, the next try may come in time
        return lateEnd(this.#book, exit);
      }
      gap = looked;
    } finally {
      over.abort();
      this.#lanes.close();
    }
    return await this.#steps.inTurn(async () => {
      const { pushing, host, record } = this.#options;
      const current = (await host.registry.get(record.id)) ?? record;
      return endStep(this.#book, { record: current, pushing, exit, gap });
    });
  }

  /** Resolves with what nobody can look at any more. */
  async #lookAtAll(exit: ExitRecord, signal: AbortSignal): Promise<Gap | undefined> {
    if (exit.exit.kind === "spawn_failed") return undefined;
    const finished = finishOutput({
      lanes: this.#lanes,
      steps: this.#steps,
      book: () => this.#book,
      directory: this.#directory,
      outputBytes: exit.outputBytes,
      report: (error) => this.#report(error),
      signal,
    });
    return await Promise.race([finished, this.#failed.promise]);
  }

  #readLater(cause: Error): void {
    if (this.#state !== "open") return;
    this.#report(cause);
    const again = async (): Promise<void> => {
      if (this.#state !== "open") return;
      await this.#steps.inTurn(() => this.#lanes.openUnlessOpen()).catch(() => undefined); // the daemon goes
    };
    setTimeout(() => void again(), readAgainMs).unref();
  }

  #report(cause: unknown): void {
    const { host, record } = this.#options;
    host.report(`The output of ${record.id} cannot be watched just now.`, cause, { processId: record.id });
  }

  /** Resolves when it is stored, or will not be: then the next one who comes finds it again. */
  async #take(found: Found, from?: Pick<LaneBatch, "isCurrent" | "stored">): Promise<void> {
    const { record, pushing } = this.#options;
    const onStored = ({ book, advance }: Step): void => {
      this.#book = book;
      for (const id of advance.ended ?? []) this.#states.close(id);
      this.#arm();
      from?.stored();
    };
    const make = (): Step | undefined =>
      from?.isCurrent() === false ? undefined : findStep(this.#book, found, { record, pushing });
    await this.#steps.put(make, onStored).catch((error: unknown) => this.#failed.reject(error));
  }

  async #store(book: WatchBook, added: readonly WatchRecord[]): Promise<void> {
    const { host, record } = this.#options;
    const progress = progressOf(book);
    await host.store.advanceWatches({ at: Date.now(), processId: record.id, progress, added });
    this.#book = book;
  }

  /** What is held back is told when its window ends, also if nothing more comes. */
  #arm(): void {
    clearTimeout(this.#timer);
    const dueAtMs = pushDueAt(this.#book.standing.push);
    if (dueAtMs === null || this.#state !== "open") return;
    this.#timer = setTimeout(() => void this.#take(nothingFound), Math.max(0, dueAtMs - Date.now()));
    this.#timer.unref();
  }
}

function daemonStopping(): HoldfastError {
  return new HoldfastError("DAEMON_STOPPING", "The daemon is about to end.");
}

function newFailure(): PromiseWithResolvers<never> {
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined); // most of the time nobody waits
  return failure;
}
