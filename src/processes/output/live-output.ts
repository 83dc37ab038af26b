// The output of a process as it comes, with stream and time, from its keeper or, once it is gone, from the files.
import { pulled, readSpec, type OutputEvent } from "../../keeper/index.ts";
import type { LiveOutput } from "../../protocol/live-output.ts";
import { directoryOf, keptProcess, type ProcessContext } from "../context.ts";
import { outputEnd } from "./find-lines.ts";
import { hasNoRun } from "./has-no-run.ts";

export interface LivePlace {
  readonly from: number | "end";
  readonly signal?: AbortSignal;
}

/** Where it ends now. @throws HoldfastError PROCESS_NOT_FOUND, PROCESS_AMBIGUOUS */
export async function liveOutputEnd(context: ProcessContext, reference: string): Promise<number> {
  const record = await context.registry.find(reference);
  return (await hasNoRun(context, record)) ? 0 : await outputEnd(directoryOf(context, record.id));
}

/** As `followOutput`, for a loop. */
export function liveOutput(
  context: ProcessContext,
  reference: string,
  place: LivePlace,
): AsyncGenerator<LiveOutput, void, undefined> {
  return pulled(
    (consume, signal) => followOutput(context, reference, { ...place, signal }, consume),
    place.signal,
  );
}

/** Called with what came together; again when what it returns has resolved, or, where it returns nothing, when more has come. */
export type LiveOutputConsumer = (events: readonly LiveOutput[]) => Promise<void> | undefined;

/**
 * Of the process with this id, prefix or name. Resolves when its end was consumed.
 * @throws HoldfastError PROCESS_NOT_FOUND, PROCESS_AMBIGUOUS, OUTPUT_TRIMMED
 */
export async function followOutput(
  context: ProcessContext,
  reference: string,
  options: LivePlace,
  consume: LiveOutputConsumer,
): Promise<void> {
  const record = await context.registry.find(reference);
  if (await hasNoRun(context, record)) {
    await consume([{ kind: "end", next: 0 }]);
    return;
  }
  // The marks tell changes only: whoever draws from the beginning needs the size it began with.
  if (options.from === 0 && record.mode === "pty") {
    const { columns, rows } = await readSpec(directoryOf(context, record.id));
    await consume([{ kind: "resized", offset: 0, columns, rows }]);
  }
  const kept = keptProcess(context, record.id);
  const reader = new MarkReader(record.startedAt ?? record.createdAt);
  try {
    const signal =
      options.signal === undefined ? context.signal : AbortSignal.any([context.signal, options.signal]);
    await kept.follow({ from: options.from, follow: true, marks: true, signal }, (events) => {
      const live = reader.read(events);
      return live.length === 0 ? undefined : consume(live);
    });
  } finally {
    kept.close();
  }
}

type DataEvent = Extract<OutputEvent, { kind: "data" }>;

/** Puts what the marks say into the data behind them, and data that came together into one piece. */
class MarkReader {
  readonly #startedAt: number;
  #stream: "stdout" | "stderr" = "stdout";
  #at: number;

  constructor(startedAt: number) {
    this.#startedAt = startedAt;
    this.#at = startedAt;
  }

  read(events: readonly OutputEvent[]): LiveOutput[] {
    const live: LiveOutput[] = [];
    let data: DataEvent[] = [];
    for (const event of events) {
      if (event.kind === "data") {
        data.push(event);
        continue;
      }
      this.#tellData(data, live);
      data = [];
      this.#tellOther(event, live);
    }
    this.#tellData(data, live);
    return live;
  }

  #tellData(data: readonly DataEvent[], live: LiveOutput[]): void {
    const [first] = data;
    if (first === undefined) return;
    const bytes = data.length === 1 ? first.bytes : Buffer.concat(data.map((each) => each.bytes));
    live.push({ kind: "data", offset: first.offset, bytes, stream: this.#stream, at: this.#at });
  }

  #tellOther(event: Exclude<OutputEvent, DataEvent>, live: LiveOutput[]): void {
    if (event.kind === "missing") live.push(event);
    else if (event.kind === "end") live.push({ kind: "end", next: event.nextOffset });
    else if (event.mark === "stdout" || event.mark === "stderr") {
      this.#stream = event.mark;
      this.#at = this.#startedAt + event.timeUs / 1000;
    } else if (event.mark === "resized") {
      const { offset, value } = event;
      live.push({ kind: "resized", offset, columns: value >>> 16, rows: value & 0xffff });
    }
  }
}
