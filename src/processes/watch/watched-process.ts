// The watches of one process while it lives: what they find becomes steps, which are stored one after the other.
import { setTimeout as delay } from "node:timers/promises";
import { runDirectory } from "../../keeper/index.ts";
import { HoldfastError } from "../../protocol/errors.ts";
import type { ExitRecord } from "../../protocol/exit.ts";
import type { ProcessRecord, WatchRecord } from "../../store/index.ts";
import type { WatchEnd } from "../end-notice.ts";
import { outputEnd } from "../output/find-lines.ts";
import { foundInBatch, nothingFound, type Found } from "./found.ts";
import { OutputLanes } from "./output-lanes.ts";
import type { Pushing } from "./pushing.ts";
import { pushDueAt } from "./push-policy.ts";
import { resumeAt } from "./scan-state.ts";
import { StateWatches } from "./state-watches.ts";
import { StepStore } from "./step-store.ts";
import { beginning, progressOf, withoutWatches, withWatch, type WatchBook } from "./watch-book.ts";
import type { WatchHost } from "./watch-host.ts";
import { endStep, findStep, type Step } from "./watch-step.ts";
import type { WorkerLink } from "./worker-link.ts";
import type { Gap } from "./worker-messages.ts";

// Until output can be read again.
const readAgainMs = 1_000;
// How long an end waits for what was written last to be looked at: a matcher takes a second for all that is kept.
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
  /** Tells an end that waits that the store takes nothing. */
  #storeFailed = newFailure();
  #end: Promise<WatchEnd> | undefined;

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
      keep: () => ({ lines: host.config().watch.maxLines, characters: host.config().watch.maxCharacters }),
      source: () => this.#book,
      onBatch: (key, batch, stored) => void this.#take(foundInBatch(key, batch), stored),
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

  /** Looks at everything it wrote, then tells what belongs into the commit of the end. @throws HoldfastError STORE_… */
  async end(exit: ExitRecord): Promise<WatchEnd> {
    this.#end ??= this.#settle(exit).catch((error: unknown) => {
      this.#end = undefined; // asked again when the store may take something
      throw error;
    });
    return await this.#end;
  }

  /** An end that is waited for is left to the next daemon. */
  close(): void {
    this.#state = "closed";
    this.#storeFailed.reject(new HoldfastError("DAEMON_STOPPING", "The daemon is about to end."));
    clearTimeout(this.#timer);
    this.#steps.close();
    this.#lanes.close();
    this.#states.closeAll();
  }

  async #settle(exit: ExitRecord): Promise<WatchEnd> {
    this.#state = "ending";
    this.#states.closeAll();
    clearTimeout(this.#timer);
    this.#storeFailed = newFailure();
    this.#steps.beImpatient();
    const isComplete = exit.exit.kind === "spawn_failed" || (await this.#lookAtAll());
    return await this.#steps.inTurn(async () => {
      const { pushing, host, record } = this.#options;
      const current = (await host.registry.get(record.id)) ?? record;
      const gap = isComplete ? undefined : await this.#rest();
      return endStep(this.#book, { record: current, pushing, exit, gap });
    });
  }

  /** False: there was not enough time. */
  async #lookAtAll(): Promise<boolean> {
    const over = new AbortController();
    const limit = delay(longestEndMs, false, { signal: over.signal, ref: false });
    limit.catch(() => undefined); // it was not needed
    try {
      return await Promise.race([this.#finishLanes(over.signal), limit, this.#storeFailed.promise]);
    } finally {
      over.abort();
      this.#lanes.close();
    }
  }

  async #finishLanes(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      await this.#steps.inTurn(() => this.#lanes.openUnlessOpen());
      try {
        await this.#lanes.finish();
        return true;
      } catch {
        // The thread died: the next one goes on, if there is time.
        await delay(readAgainMs / 10, undefined, { signal, ref: false });
      }
    }
  }

  /** What there was no time for. */
  async #rest(): Promise<Gap | undefined> {
    const { scan } = this.#book.standing;
    const to = await outputEnd(this.#directory).catch(() => 0); // removed
    return scan === null || to <= resumeAt(scan) ? undefined : { from: resumeAt(scan), to };
  }

  #readLater(cause: Error): void {
    if (this.#state !== "open") return;
    const { host, record } = this.#options;
    host.report(`The output of ${record.id} cannot be watched just now.`, cause, { processId: record.id });
    const again = async (): Promise<void> => {
      if (this.#state !== "open") return;
      await this.#steps.inTurn(() => this.#lanes.openUnlessOpen()).catch(() => undefined); // the daemon goes
    };
    setTimeout(() => void again(), readAgainMs).unref();
  }

  /** Resolves when it is stored, or will not be: then the next one who comes finds it again. */
  async #take(found: Found, stored: () => void = () => undefined): Promise<void> {
    const { record, pushing } = this.#options;
    const onStored = ({ book, advance }: Step): void => {
      this.#book = book;
      for (const id of advance.ended ?? []) this.#states.close(id);
      this.#arm();
      stored();
    };
    await this.#steps
      .put(() => findStep(this.#book, found, { record, pushing }), onStored)
      .catch((error: unknown) => this.#storeFailed.reject(error));
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

function newFailure(): PromiseWithResolvers<never> {
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined); // most of the time nobody waits
  return failure;
}
