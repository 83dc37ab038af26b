// Work done elsewhere. Its end is owed like that of a process: one notice, in the commit that ends it.
import { z } from "zod";
import { HoldfastError } from "../protocol/errors.ts";
import { delegationItemSchema, type DelegationItem, type DelegationView } from "../protocol/delegations.ts";
import { newDelegationId } from "../protocol/ids.ts";
import type { OperationRequest } from "../protocol/operations.ts";
import type { DelegationRecord, NewNotice } from "../store/index.ts";
import { identityOf, probeProcess } from "../util/process-identity.ts";
import type { NotificationContext } from "./context.ts";
import { delegationReport } from "./text/delegation.ts";

const workSchema = z.object({
  goal: z.string(),
  context: z.string().optional(),
  toolsets: z.array(z.string()),
  role: z.string().optional(),
  model: z.string().optional(),
  items: z.array(delegationItemSchema),
  error: z.string().nullable(),
});
const delegateSchema = z.object({
  pid: z.int(),
  startTime: z.number(),
  bootId: z.string(),
  pidNamespace: z.string(),
});

type ItemChange = OperationRequest<"delegation.progress">["items"][number];

export async function startDelegation(
  { processes }: NotificationContext,
  input: OperationRequest<"delegation.start">,
  session: string | undefined,
): Promise<DelegationView> {
  const { owner, pid, items, goal, context, toolsets, role, model } = input;
  const delegate = pid === undefined ? null : identityOf(pid);
  if (delegate === undefined)
    throw new HoldfastError("INVALID_ARGUMENT", `There is no process ${pid} that could do it.`);
  const now = Date.now();
  const goals = items ?? [goal];
  const record: DelegationRecord = {
    id: newDelegationId(),
    route: {
      session: owner.session ?? session ?? null,
      task: owner.task ?? null,
      profile: owner.profile,
      origin: owner.origin ?? null,
    },
    state: "running",
    work: {
      goal,
      context,
      toolsets,
      role,
      model,
      error: null,
      items: goals.map((itemGoal, index) => ({ index, goal: itemGoal, status: "running" })),
    },
    delegate: delegate === null ? null : { ...delegate },
    createdAt: now,
    updatedAt: now,
    finishedAt: null,
  };
  await processes.store.changeDelegation(record);
  return viewDelegation(record);
}

/** @throws HoldfastError DELEGATION_NOT_FOUND, DELEGATION_OVER, INVALID_ARGUMENT for an item it does not have */
export async function progressDelegation(
  context: NotificationContext,
  { delegation, items }: OperationRequest<"delegation.progress">,
): Promise<DelegationView> {
  const record = changed(await running(context, delegation), items, null);
  await context.processes.store.changeDelegation(record);
  return viewDelegation(record);
}

/** What still runs when the whole is finished has failed: nobody will hear of it again. */
export async function finishDelegation(
  context: NotificationContext,
  { delegation, items, error }: OperationRequest<"delegation.finish">,
): Promise<DelegationView> {
  const record = changed(await running(context, delegation), items, error ?? null);
  return await end(context, record, "finished");
}

export async function cancelDelegation(
  context: NotificationContext,
  { delegation, reason }: OperationRequest<"delegation.cancel">,
): Promise<DelegationView> {
  const record = changed(await running(context, delegation), [], reason ?? "it was cancelled");
  return await end(context, record, "cancelled");
}

/** Those whose process is gone, proven, end as lost. */
export async function endLostDelegations(context: NotificationContext): Promise<number> {
  const open = await context.processes.store.delegations.list({ states: ["running"] });
  let lost = 0;
  for (const record of open) {
    const delegate = delegateSchema.safeParse(record.delegate);
    if (!delegate.success || probeProcess(delegate.data) !== "gone") continue;
    await end(
      context,
      changed(record, [], `process ${delegate.data.pid}, which did the work, is gone`),
      "lost",
    );
    lost += 1;
  }
  return lost;
}

export function viewDelegation(record: DelegationRecord): DelegationView {
  const work = workSchema.parse(record.work);
  const { session, task, profile, origin } = record.route;
  return {
    id: record.id,
    state: record.state,
    ...work,
    owner: {
      profile,
      ...(session === null ? {} : { session }),
      ...(task === null ? {} : { task }),
      ...(origin === null ? {} : { origin: { ...origin } }),
    },
    startedAt: new Date(record.createdAt).toISOString(),
    updatedAt: new Date(record.updatedAt).toISOString(),
    finishedAt: record.finishedAt === null ? null : new Date(record.finishedAt).toISOString(),
  };
}

async function running({ processes }: NotificationContext, id: string): Promise<DelegationRecord> {
  const record = await processes.store.delegations.get(id);
  if (record === undefined)
    throw new HoldfastError("DELEGATION_NOT_FOUND", `There is no delegation "${id}".`);
  if (record.state === "running") return record;
  throw new HoldfastError("DELEGATION_OVER", `Delegation ${id} is ${record.state} already.`, {
    details: { state: record.state },
  });
}

function changed(
  record: DelegationRecord,
  changes: readonly ItemChange[],
  error: string | null,
): DelegationRecord {
  const work = workSchema.parse(record.work);
  const items = new Map(work.items.map((item) => [item.index, item]));
  for (const change of changes) {
    const item = items.get(change.index);
    if (item === undefined)
      throw new HoldfastError("INVALID_ARGUMENT", `Delegation ${record.id} has no item ${change.index}.`);
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    items.set(change.index, { ...item, ...(Object.fromEntries(given) as Partial<DelegationItem>) });
  }
  return {
    ...record,
    work: { ...work, error: error ?? work.error, items: [...items.values()] },
    updatedAt: Date.now(),
  };
}

async function end(
  { processes }: NotificationContext,
  record: DelegationRecord,
  state: "finished" | "cancelled" | "lost",
): Promise<DelegationView> {
  const at = Date.now();
  const work = workSchema.parse(record.work);
  const left = state === "finished" ? "failed" : "interrupted";
  const items = work.items.map((item) => (item.status === "running" ? { ...item, status: left } : item));
  const ended: DelegationRecord = {
    ...record,
    state,
    work: { ...work, items },
    updatedAt: at,
    finishedAt: at,
  };
  const view = viewDelegation(ended);
  const notice: NewNotice = {
    kind: "delegation.finished",
    at,
    processId: null,
    route: record.route,
    state: "pending",
    dedupeKey: `delegation.finished:${record.id}`,
    data: { id: record.id, state, goal: work.goal, report: delegationReport(view) },
  };
  await processes.store.changeDelegation(ended, notice);
  return view;
}
