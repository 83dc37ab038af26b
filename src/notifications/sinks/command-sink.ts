// Auto-continue: a command that resumes an agent. It gets the notices of one session on its standard input, runs as a kept process, one
// at a time per session, and not while the session is busy.
import { keptProcess, viewProcess } from "../../processes/index.ts";
import type { NoticeWithText } from "../../protocol/notices.ts";
import type { OperationInput } from "../../protocol/operations.ts";
import type { ProcessView } from "../../protocol/process.ts";
import type { NotificationContext } from "../context.ts";
import { isBusy } from "../sessions.ts";
import { howItEnded } from "../text/how-it-ended.ts";
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
}

export interface CommandSinkContext {
  readonly notifications: NotificationContext;
  /** The verb `process.start`, with all it decides. */
  readonly start: (input: OperationInput<"process.start">) => Promise<ProcessView>;
}

const parallel = 4;
// Whoever is busy may forget to say that it is over; then the lease ends it.
const longestDeferMs = 60_000;

export function commandSink(context: CommandSinkContext, options: CommandOptions): Sink {
  return {
    name: options.name,
    query: options.query,
    scheduleMs: options.scheduleMs,
    by: "session",
    parallel,
    gatherMs: options.gatherMs,
    acknowledges: true,
    deliver: async (notices, signal, turn) => {
      const session = notices[0]?.owner.session;
      const refusal = session === undefined ? undefined : await mayNotResume(context, options, session);
      return refusal ?? (await resume(context, options, { notices, session, turn, signal }));
    },
  };
}

async function mayNotResume(
  { notifications }: CommandSinkContext,
  { mostResumptions }: CommandOptions,
  session: string,
): Promise<DeliveryOutcome | undefined> {
  const found = await notifications.processes.store.sessions.get(session);
  if (found === undefined) return undefined;
  const nowMs = Date.now();
  if (isBusy(found, nowMs))
    return { kind: "defer", afterMs: Math.min(longestDeferMs, (found.busyUntil ?? nowMs) - nowMs) };
  if (found.resumptions < mostResumptions) return undefined;
  return {
    kind: "needs_person",
    error: `the session was resumed ${found.resumptions} times in a row without a person`,
  };
}

interface Resumption {
  readonly notices: readonly NoticeWithText[];
  readonly session: string | undefined;
  readonly turn: string;
  readonly signal: AbortSignal;
}

async function resume(
  { notifications, start }: CommandSinkContext,
  options: CommandOptions,
  resumption: Resumption,
): Promise<DeliveryOutcome | Settled> {
  const { processes } = notifications;
  const { session, signal } = resumption;
  const input = startInput(options, resumption);
  const other = otherRun(notifications, options, session, input.idempotencyKey);
  if (other !== undefined) {
    await Promise.race([processes.registry.ended(other), aborted(signal)]);
    return { kind: "defer", afterMs: 0 };
  }
  const process = await start(input);
  // Found again after a restart of the daemon, it may have been given fewer than are due now.
  const given = noticesOf(process.owner.origin);
  const notices = resumption.notices.filter(({ id }) => given.includes(id));
  await giveInput(notifications, process.id, options.input, notices);
  const record = await Promise.race([processes.registry.ended(process.id), aborted(signal)]);
  if (record === undefined) return { kind: "defer", afterMs: 0 }; // the daemon goes; the next one finds the process
  if (session !== undefined) {
    const found = await processes.store.sessions.get(session);
    const resumptions = (found?.resumptions ?? 0) + 1;
    await processes.store.sessions.change(session, { resumptions }, Date.now());
  }
  const exit = record.exit?.exit;
  const outcome: DeliveryOutcome =
    exit?.kind === "exited" && exit.code === 0
      ? { kind: "delivered" }
      : { kind: "retry", error: `${record.id} ${howItEnded(viewProcess(record))}` };
  return { outcome, notices: given };
}

/** One at a time per session, also when the run was begun by a daemon before this one. */
function otherRun(
  { processes }: NotificationContext,
  { name }: CommandOptions,
  session: string | undefined,
  ownKey: string | undefined,
): string | undefined {
  const runs = processes.registry.live().filter(({ origin }) => origin?.["sink"] === name);
  const own = runs.filter((record) => (record.session ?? undefined) === session);
  return own.find(({ idempotencyKey }) => idempotencyKey !== ownKey)?.id;
}

function noticesOf(origin: Readonly<Record<string, unknown>> | undefined): string[] {
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

/** With a fixed writer, so that a second daemon adds nothing to what the first has written. */
async function giveInput(
  { processes }: NotificationContext,
  id: string,
  form: CommandOptions["input"],
  notices: readonly NoticeWithText[],
): Promise<void> {
  const text =
    form === "json"
      ? `${JSON.stringify(notices)}\n`
      : `${notices.map((notice) => notice.text).join("\n\n")}\n`;
  const kept = keptProcess(processes, id);
  try {
    await kept.writeAs({ id: 1n, sequence: 0 }, Buffer.from(text));
    await kept.closeStdin();
  } catch {
    // It ended, or closed its input, without reading: its exit code tells whether that was well.
  } finally {
    kept.close();
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  if (signal.aborted) resolve(undefined);
  signal.addEventListener("abort", () => resolve(undefined), { once: true });
  return promise;
}
