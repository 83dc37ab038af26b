// The verb `wait`: several processes, any or all, with a timeout that leaves them alone.
import { HoldfastError } from "../../protocol/errors.ts";
import type { WaitInput, WaitOutput, WaitResult } from "../../protocol/wait.ts";
import type { ProcessRecord } from "../../store/index.ts";
import { keptProcess, type ProcessContext } from "../context.ts";
import { viewProcess } from "../view.ts";
import { watchCondition } from "./watch-condition.ts";
import { watchMatch } from "./watch-match.ts";

export interface WaitOptions {
  /** The caller went away. */
  readonly signal: AbortSignal;
  /** The caller's session was interrupted: return at once with what is known. */
  readonly interrupted: AbortSignal;
}

type Watched = Pick<WaitResult, "outcome" | "match">;

// Given, because an abort without a reason makes one, with a stack trace, for every wait.
const waitIsOver = new HoldfastError("PROCESS_ENDED", "The wait is over.");

/** What comes first for one process: its condition, or its end. */
async function watchOne(
  context: ProcessContext,
  record: ProcessRecord,
  input: WaitInput,
  signal: AbortSignal,
): Promise<Watched> {
  const condition = input.for;
  const ended = context.registry.ended(record.id);
  if (condition.kind === "exit") {
    await ended;
    return { outcome: "met" };
  }
  const kept = keptProcess(context, record.id);
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  try {
    if (condition.kind === "match") {
      // What it wrote last still counts: a match in its final line is a match.
      const written = ended.then(({ outputBytes }) => outputBytes);
      const match = await watchMatch(condition, kept, { written, signal: both });
      return match === undefined ? { outcome: "ended" } : { outcome: "met", match };
    }
    const met = watchCondition(condition, kept, both).then((): Watched => ({ outcome: "met" }));
    met.catch(() => undefined); // after the end, its failure concerns nobody
    return await Promise.race([met, ended.then((): Watched => ({ outcome: "ended" }))]);
  } finally {
    stop.abort(waitIsOver);
    kept.close();
  }
}

async function timeoutOf(
  context: ProcessContext,
  input: WaitInput,
  records: readonly ProcessRecord[],
): Promise<{ timeoutMs: number; clamped: boolean }> {
  const { maxMs } = context.config().wait;
  const { timeoutMs: asked } = input;
  const timeoutMs = Math.min(asked ?? (await defaultTimeout(context, records)), maxMs);
  return { timeoutMs, clamped: asked !== undefined && asked > maxMs };
}

/** As long as the most patient of their projects says. */
async function defaultTimeout(context: ProcessContext, records: readonly ProcessRecord[]): Promise<number> {
  const directories = [...new Set(records.map(({ cwd }) => cwd))];
  const configs = await Promise.all(directories.map((directory) => context.configIn(directory)));
  return Math.max(...configs.map(({ config }) => config.wait.defaultMs));
}

/** @throws HoldfastError PROCESS_NOT_FOUND, PROCESS_AMBIGUOUS, INVALID_ARGUMENT */
export async function waitFor(
  context: ProcessContext,
  input: WaitInput,
  options: WaitOptions,
): Promise<WaitOutput> {
  const startedMs = performance.now();
  if (input.for.kind === "match" && (input.for.text === undefined) === (input.for.regex === undefined)) {
    throw new HoldfastError("INVALID_ARGUMENT", "A match needs either a text or a regex.");
  }
  const records = await Promise.all(input.ids.map((reference) => context.registry.find(reference)));
  const { timeoutMs, clamped } = await timeoutOf(context, input, records);
  const done = new AbortController();
  const watched = new Map<string, Watched>();
  // An end is heard without it.
  const signal = input.for.kind === "exit" ? options.signal : AbortSignal.any([options.signal, done.signal]);
  const firstMet = Promise.withResolvers<void>();
  const all = records.map(async (record) => {
    const one = await watchOne(context, record, input, signal);
    watched.set(record.id, one);
    if (input.mode === "any" && one.outcome === "met") firstMet.resolve();
  });
  for (const one of all) one.catch(() => undefined); // only the race below decides
  const finished = Promise.race([firstMet.promise, Promise.all(all)]);
  let timer: NodeJS.Timeout | undefined;
  const reason = await Promise.race([
    finished.then(() => "finished" as const),
    new Promise<"timeout">((resolve) => (timer = setTimeout(resolve, timeoutMs, "timeout"))),
    aborted(options.interrupted, "interrupted" as const),
    aborted(options.signal, "interrupted" as const),
  ]).finally(() => {
    clearTimeout(timer);
    done.abort(waitIsOver);
  });
  const results = await Promise.all(
    records.map(async (record): Promise<WaitResult> => {
      const process = viewProcess((await context.registry.get(record.id)) ?? record);
      return { id: record.id, ...(watched.get(record.id) ?? { outcome: "pending" }), process };
    }),
  );
  return {
    outcome: reason === "finished" ? outcomeOf(input, results) : reason,
    results,
    waitedMs: Math.round(performance.now() - startedMs),
    ...(clamped ? { clampedTimeoutMs: timeoutMs } : {}),
  };
}

/** What was waited for is true of one, or of all: as it was asked. */
function outcomeOf({ mode }: WaitInput, results: readonly WaitResult[]): "met" | "ended" {
  const isMet = ({ outcome }: WaitResult): boolean => outcome === "met";
  return (mode === "any" ? results.some(isMet) : results.every(isMet)) ? "met" : "ended";
}

function aborted<T>(signal: AbortSignal, value: T): Promise<T> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(value);
    else signal.addEventListener("abort", () => resolve(value), { once: true });
  });
}
