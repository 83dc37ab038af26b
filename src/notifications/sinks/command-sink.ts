// Auto-continue: a command that resumes an agent. It gets the notices of one session on its standard input, runs as a kept process, one
// at a time per session, and not while the session is busy.
import { keptProcess, viewProcess, type ProcessContext } from "../../processes/index.ts";
import type { NoticeWithText } from "../../protocol/notices.ts";
import type { OperationInput } from "../../protocol/operations.ts";
import type { ProcessView } from "../../protocol/process.ts";
import type { ProcessRecord } from "../../store/index.ts";
import type { NotificationContext } from "../context.ts";
import { isBusy, keyOfSink } from "../sessions.ts";
import { howItEnded } from "../text/how-it-ended.ts";
import type { SessionTurns } from "./session-turns.ts";
import type { DeliveryOutcome, Settled, Sink } from "./sink.ts";

export interface CommandOptions {
  readonly name: string;
  readonly command: string | readonly string[];
  readonly cwd: string | undefined;
  /** What it gets on its standard input. */
  readonly input: "text" | "json";
  readonly query: Sink["query"];
  readonly limitMs: number;
  readonly scheduleMs: readonly number[];
  readonly gatherMs: number;
  /** In a row without a person; then notices wait for one. */
  readonly mostResumptions: number;
  readonly acknowledge: boolean;
}

export interface CommandSinkContext {
  readonly notifications: NotificationContext;
  /** The verb `process.start`, with all it decides. */
  readonly start: (input: OperationInput<"process.start">) => Promise<ProcessView>;
}

const parallel = 4;
// Whoever is busy may forget to say that it is over; then the lease ends it.
const longestDeferMs = 60_000;
const again = { kind: "defer", afterMs: 0 } as const;

export function commandSink(context: CommandSinkContext, turns: SessionTurns, options: CommandOptions): Sink {
  return {
    name: options.name,
    query: options.query,
    scheduleMs: options.scheduleMs,
    by: "session",
    parallel,
    gatherMs: options.gatherMs,
    acknowledges: () => options.acknowledge,
    deliver: async (notices, signal, turn) => {
      const session = notices[0]?.owner.session;
      const key = session ?? keyOfSink(options.name);
      const ahead = turns.ahead(key);
      if (ahead !== undefined) {
        // What is due may be something else afterwards.
        await Promise.race([ahead, aborted(signal)]);
        return again;
      }
      const give = turns.take(key);
      try {
        const refusal = await mayNotResume(context, options, key);
        return refusal ?? (await resume(context, options, { notices, session, key, turn, signal }));
      } finally {
        give();
      }
    },
  };
}

async function mayNotResume(
  { notifications }: CommandSinkContext,
  { mostResumptions }: CommandOptions,
  key: string,
): Promise<DeliveryOutcome | undefined> {
  const found = await notifications.processes.store.sessions.get(key);
  if (found === undefined) return undefined;
  const nowMs = Date.now();
  if (isBusy(found, nowMs))
    return { kind: "defer", afterMs: Math.min(longestDeferMs, (found.busyUntil ?? nowMs) - nowMs) };
  if (found.resumptions < mostResumptions) return undefined;
  return {
    kind: "needs_person",
    error: `${key} was resumed ${found.resumptions} times in a row without a person; say that one is there with: holdfast session attend ${key}`,
  };
}

interface Resumption {
  readonly notices: readonly NoticeWithText[];
  readonly session: string | undefined;
  /** What it counts as; the session, if there is one. */
  readonly key: string;
  readonly turn: string;
  readonly signal: AbortSignal;
}

async function resume(
  { notifications, start }: CommandSinkContext,
  options: CommandOptions,
  resumption: Resumption,
): Promise<DeliveryOutcome | Settled> {
  const { processes } = notifications;
  const { signal } = resumption;
  const left = leftRun(notifications, options, resumption.session);
  if (left !== undefined && left.origin?.["sink"] !== options.name) {
    await Promise.race([processes.registry.ended(left.id), aborted(signal)]);
    return again;
  }
  const run = left ?? (await start(startInput(options, resumption)));
  // One that a daemon before this one has started may have been given fewer than are due now.
  const given = noticesOf("owner" in run ? run.owner.origin : run.origin);
  const notices = resumption.notices.filter(({ id }) => given.includes(id));
  if (notices.length > 0) await giveInput(processes, run.id, inputText(options.input, notices), signal);
  const record = await Promise.race([processes.registry.ended(run.id), aborted(signal)]);
  if (record === undefined) return again; // the daemon goes; the next one finds the process
  await count(notifications, resumption.key);
  const exit = record.exit?.exit;
  const outcome: DeliveryOutcome =
    exit?.kind === "exited" && exit.code === 0
      ? { kind: "delivered" }
      : { kind: "retry", error: `${record.id} ${howItEnded(viewProcess(record))}` };
  return { outcome, notices: given };
}

/** A resumption of this session that an earlier daemon began, whichever sink it was. */
function leftRun(
  { processes }: NotificationContext,
  { name }: CommandOptions,
  session: string | undefined,
): ProcessRecord | undefined {
  const runs = processes.registry.live().filter(({ origin }) => typeof origin?.["sink"] === "string");
  const own = runs.filter((record) => (record.session ?? undefined) === session);
  // Without a session nobody is resumed twice by another sink.
  return own.find(({ origin }) => session !== undefined || origin?.["sink"] === name);
}

function noticesOf(origin: Readonly<Record<string, unknown>> | null | undefined): string[] {
  const ids = origin?.["notices"];
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === "string") : [];
}

function startInput(options: CommandOptions, resumption: Resumption): OperationInput<"process.start"> {
  const { notices, session, turn } = resumption;
  const [first] = notices;
  const ids = notices.map(({ id }) => id);
  return {
    command: typeof options.command === "string" ? options.command : [...options.command],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stdin: "open",
    labels: { sink: options.name },
    owner: { ...(session === undefined ? {} : { session }), origin: { sink: options.name, notices: ids } },
    limits: { wallMs: options.limitMs },
    lifetime: "detached",
    environment: {
      policy: "caller",
      set: {
        HOLDFAST_NOTICE_ID: first?.id ?? "",
        HOLDFAST_NOTICE_IDS: ids.join(" "),
        HOLDFAST_NOTICE_KIND: first?.kind ?? "",
        HOLDFAST_NOTICE_PROCESS: first?.processId ?? "",
        ...(session === undefined ? {} : { HOLDFAST_SESSION: session }),
      },
    },
    // A daemon killed while it runs: the next one finds this very process and waits for its end.
    idempotencyKey: `sink:${options.name}:${first?.id ?? ""}:${turn}`,
  };
}

function inputText(form: CommandOptions["input"], notices: readonly NoticeWithText[]): string {
  if (form === "json") return `${JSON.stringify(notices)}\n`;
  return `${notices.map((notice) => notice.text).join("\n\n")}\n`;
}

/** With a fixed writer, so that a second daemon adds nothing to what the first has written. */
async function giveInput(
  processes: ProcessContext,
  id: string,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  const kept = keptProcess(processes, id);
  try {
    await kept.writeAs({ id: 1n, sequence: 0 }, Buffer.from(text), { signal });
    await kept.closeStdin();
  } catch {
    // It ended, or closed its input, without reading: its exit code tells whether that was well.
  } finally {
    kept.close();
  }
}

/** What has happened has happened: that it could not be counted must not make it happen again. */
async function count({ processes }: NotificationContext, key: string): Promise<void> {
  try {
    await processes.store.sessions.countResumption(key, Date.now());
  } catch (error) {
    processes.report(`A resumption of ${key} could not be counted.`, error, { session: key });
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  if (signal.aborted) resolve(undefined);
  signal.addEventListener("abort", () => resolve(undefined), { once: true });
  return promise;
}
