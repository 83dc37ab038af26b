// Work done elsewhere. Its end is owed like that of a process: one notice, in the commit that ends it.
import { z } from "zod";
import { HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import { delegationItemSchema, type DelegationItem, type DelegationView } from "../protocol/delegations.ts";
import { newDelegationId } from "../protocol/ids.ts";
import type { OperationRequest } from "../protocol/operations.ts";
import type { DelegationChange, DelegationRecord, NewNotice } from "../store/index.ts";
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
  await processes.store.changeDelegation(record.id, () => ({ record }));
  return viewDelegation(record);
}

/** @throws HoldfastError DELEGATION_NOT_FOUND, DELEGATION_OVER, INVALID_ARGUMENT for an item it does not have */
export async function progressDelegation(
  context: NotificationContext,
  { delegation, items }: OperationRequest<"delegation.progress">,
): Promise<DelegationView> {
  return await changeRunning(context, delegation, (before) => ({ record: changed(before, items, null) }));
}

/** What still runs when the whole is finished has failed: nobody will hear of it again. */
export async function finishDelegation(
  context: NotificationContext,
  { delegation, items, error }: OperationRequest<"delegation.finish">,
): Promise<DelegationView> {
  return await changeRunning(context, delegation, (before) =>
    ended(changed(before, items, error ?? null), "finished"),
  );
}

export async function cancelDelegation(
  context: NotificationContext,
  { delegation, reason }: OperationRequest<"delegation.cancel">,
): Promise<DelegationView> {
  return await changeRunning(context, delegation, (before) =>
    ended(changed(before, [], reason ?? "it was cancelled"), "cancelled"),
  );
}

/** Those whose process is gone, proven, end as lost. */
export async function endLostDelegations(context: NotificationContext): Promise<number> {
  const open = await context.processes.store.delegations.list({ states: ["running"] });
  let lost = 0;
  for (const record of open) {
    const delegate = delegateSchema.safeParse(record.delegate);
    if (!delegate.success || probeProcess(delegate.data) !== "gone") continue;
    const why = `process ${delegate.data.pid}, which did the work, is gone`;
    try {
      await changeRunning(context, record.id, (before) => ended(changed(before, [], why), "lost"));
      lost += 1;
    } catch (error) {
      if (!isHoldfastError(error, "DELEGATION_OVER")) throw error; // it told its end just before it went
    }
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

/** Of one that runs. Each change sees what the one before it left. @throws HoldfastError DELEGATION_NOT_FOUND, DELEGATION_OVER */
async function changeRunning(
  { processes }: NotificationContext,
  id: string,
  make: (before: DelegationRecord) => DelegationChange,
): Promise<DelegationView> {
  const record = await processes.store.changeDelegation(id, (before) => {
    if (before === undefined)
      throw new HoldfastError("DELEGATION_NOT_FOUND", `There is no delegation "${id}".`);
    if (before.state === "running") return make(before);
    throw new HoldfastError("DELEGATION_OVER", `Delegation ${id} is ${before.state} already.`, {
      details: { state: before.state },
    });
  });
  return viewDelegation(record);
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

/** With the one notice that its end is. */
function ended(before: DelegationRecord, state: "finished" | "cancelled" | "lost"): DelegationChange {
  const at = Date.now();
  const work = workSchema.parse(before.work);
  const left = state === "finished" ? "failed" : "interrupted";
  const items = work.items.map((item) => (item.status === "running" ? { ...item, status: left } : item));
  const record: DelegationRecord = {
    ...before,
    state,
    work: { ...work, items },
    updatedAt: at,
    finishedAt: at,
  };
  const notice: NewNotice = {
    kind: "delegation.finished",
    at,
    processId: null,
    route: before.route,
    state: "pending",
    dedupeKey: `delegation.finished:${before.id}`,
    data: { id: before.id, state, goal: work.goal, report: delegationReport(viewDelegation(record)) },
  };
  return { record, notice };
}
