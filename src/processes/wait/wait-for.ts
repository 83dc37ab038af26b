// The verb `wait`: several processes, any or all, with a timeout that leaves them alone.
import { HoldfastError } from "../../protocol/errors.ts";
import type { WaitInput, WaitOutput, WaitResult } from "../../protocol/wait.ts";
import type { ProcessRecord } from "../../store/index.ts";
import { keptProcess, type ProcessContext } from "../context.ts";
import { viewProcess } from "../view.ts";
import { watchCondition } from "./watch-condition.ts";

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
    const met = watchCondition(condition, kept, both).then((match): Watched => ({
      outcome: "met",
      ...(match === undefined ? {} : { match }),
    }));
    met.catch(() => undefined); // after the end, its failure concerns nobody
    const end = ended.then(async (): Promise<Watched> => {
      // What it wrote last still counts: a match in its final line is a match.
      const last = condition.kind === "match" ? await Promise.race([met, settle(both)]) : undefined;
      return last ?? { outcome: "ended" };
    });
    return await Promise.race([met, end]);
  } finally {
    stop.abort(waitIsOver);
    kept.close();
  }
}

/** Long enough for a reader to pass over what is stored already. */
async function settle(signal: AbortSignal): Promise<undefined> {
  const { setTimeout: delay } = await import("node:timers/promises");
  await delay(1_000, undefined, { signal });
  return undefined;
}

async function timeoutOf(
  context: ProcessContext,
  input: WaitInput,
  records: readonly ProcessRecord[],
): Promise<{ timeoutMs: number; clamped: boolean }> {
  const most = context.config().wait.maxMs;
  const asked = input.timeoutMs;
  const timeoutMs = Math.min(asked ?? (await defaultTimeout(context, records)), most);
  return { timeoutMs, clamped: asked !== undefined && asked > most };
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
  const all = records.map(async (record) => {
    watched.set(record.id, await watchOne(context, record, input, signal));
  });
  for (const one of all) one.catch(() => undefined); // only the race below decides
  const finished = input.mode === "any" ? Promise.race(all) : Promise.all(all);
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
  const outcome =
    reason !== "finished" ? reason : results.some((result) => result.outcome === "met") ? "met" : "ended";
  return {
    outcome,
    results,
    waitedMs: Math.round(performance.now() - startedMs),
    ...(clamped ? { clampedTimeoutMs: timeoutMs } : {}),
  };
}

function aborted<T>(signal: AbortSignal, value: T): Promise<T> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(value);
    else signal.addEventListener("abort", () => resolve(value), { once: true });
  });
}
