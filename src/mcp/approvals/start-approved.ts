// A start that may need a person's word: whoever is at the client is asked there, everybody else can answer meanwhile, and the caller
// waits no longer than a client does.
import { setTimeout as delay } from "node:timers/promises";
import { HoldfastError, isHoldfastError } from "../../protocol/errors.ts";
import type { OperationInput, OperationOutput } from "../../protocol/operations.ts";
import type { ApprovalView } from "../../protocol/policy.ts";
import { durationText } from "../answer/describe-process.ts";
import type { ToolCall } from "../tool-call.ts";
import type { PersonDoor, Said } from "./person-door.ts";

export type StartedProcess = OperationOutput<"process.start">;
/** asks: answer the call with this question, and let it be made again. */
export type Start = { readonly started: StartedProcess } | { readonly asks: ApprovalView };
type StartInput = OperationInput<"process.start">;

const progressEveryMs = 2_000;
const lookEveryMs = 20;

/** @throws HoldfastError as process.start */
export async function startApproved(call: ToolCall, input: StartInput): Promise<Start> {
  const said = call.person?.said;
  if (said?.answer === "deny") return await refuse(call, input, said);
  try {
    // Without the signal: a caller that gives up now must not leave a start half done.
    return { started: await call.operations.call("process.start", { ...input, approvalWaitMs: 0 }) };
  } catch (error) {
    if (!isHoldfastError(error, "APPROVAL_PENDING")) throw error;
    const approval = await pendingApproval(call, String(error.details["approval"]));
    if (approval === undefined) throw error;
    const door = await openDoor(call);
    if (door === undefined) return { started: await waitForWord(call, input, approval) };
    // Only what was said about this very command counts.
    if (said?.approval === approval.id)
      return { started: await waitForWord(call, input, approval, () => answer(door, said)) };
    const { ask } = door;
    if (ask === undefined) return { asks: approval };
    const asked = async (signal: AbortSignal): Promise<void> => answer(door, await ask(approval, signal));
    return { started: await waitForWord(call, input, approval, asked) };
  }
}

/** Whatever was said elsewhere meanwhile: who says no here does not want it to run. @throws HoldfastError APPROVAL_REFUSED */
async function refuse(call: ToolCall, input: StartInput, said: Said): Promise<Start> {
  const door = await openDoor(call);
  const approval = door === undefined ? undefined : await pendingApproval(call, said.approval);
  if (door !== undefined && approval !== undefined)
    return { started: await waitForWord(call, input, approval, () => answer(door, said)) };
  throw new HoldfastError("APPROVAL_REFUSED", "A person refused this command. Nothing was started.", {
    details: { approval: said.approval },
  });
}

async function openDoor({ person, operations, signal }: ToolCall): Promise<PersonDoor | undefined> {
  if (person === undefined) return undefined;
  const { value } = await operations.call("config.get", { key: "policy.elicitation" }, { signal });
  return value === false ? undefined : person;
}

/** Of this session: another's is not listed. */
async function pendingApproval(
  { operations, signal }: ToolCall,
  id: string,
): Promise<ApprovalView | undefined> {
  const { approvals } = await operations.call(
    "approval.list",
    { states: ["pending"], limit: 1_000 },
    { signal },
  );
  return approvals.find((approval) => approval.id === id);
}

/** @throws HoldfastError PERSON_REQUIRED: the client runs where no person's word is taken from */
async function answer(
  { operations, via }: PersonDoor,
  { approval, answer: said, note }: Said,
): Promise<void> {
  try {
    await operations.call("approval.answer", {
      approval,
      answer: said,
      via,
      ...(note === undefined ? {} : { note }),
    });
  } catch (error) {
    // Somebody was quicker elsewhere: then that counts.
    if (!isHoldfastError(error, "APPROVAL_OVER", "APPROVAL_NOT_FOUND")) throw error;
  }
}

/** `speak` says what the person at the client says, once the start waits for it: then nobody is told twice. */
async function waitForWord(
  call: ToolCall,
  input: StartInput,
  approval: ApprovalView,
  speak?: (signal: AbortSignal) => Promise<void>,
): Promise<StartedProcess> {
  const approvalWaitMs = await waitMsOf(call);
  const over = new AbortController();
  // With a signal: a caller that has gone must not get a process later.
  const signal = AbortSignal.any([call.signal, over.signal]);
  const waiting = call.operations.call("process.start", { ...input, approvalWaitMs }, { signal });
  waiting.catch(() => undefined); // told by the race, if it is the first
  const beganMs = performance.now();
  const telling = setInterval(
    () => tell(call, approval, performance.now() - beganMs, approvalWaitMs),
    progressEveryMs,
  );
  try {
    return await Promise.race([
      waiting,
      ...(speak === undefined ? [] : [hear(call, approval, speak, signal)]),
    ]);
  } finally {
    clearInterval(telling);
    over.abort();
  }
}

/** Never resolves: the start that waits hears the answer. @throws HoldfastError PERSON_REQUIRED */
async function hear(
  call: ToolCall,
  approval: ApprovalView,
  speak: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<never> {
  try {
    await untilWaiting(call, approval, signal);
    await speak(signal);
  } catch (error) {
    if (isHoldfastError(error, "PERSON_REQUIRED")) throw error;
    // A client that cannot show the form, or was told to close it: others may answer.
  }
  return await new Promise<never>(() => undefined);
}

/** An answer before that would be one that nobody waited for. */
async function untilWaiting(call: ToolCall, { id }: ApprovalView, signal: AbortSignal): Promise<void> {
  for (;;) {
    const current = await pendingApproval({ ...call, signal }, id);
    if (current === undefined || current.waiting > 0) return;
    await delay(lookEveryMs, undefined, { signal });
  }
}

function tell({ progress, signal }: ToolCall, { id }: ApprovalView, elapsedMs: number, mostMs: number): void {
  if (signal.aborted) return;
  progress?.(
    elapsedMs / 1_000,
    mostMs / 1_000,
    `waits for a person since ${durationText(elapsedMs)}: approval ${id}`,
  );
}

async function waitMsOf({ operations, signal }: ToolCall): Promise<number> {
  const { value } = await operations.call("config.get", { key: "mcp.approvalWaitMs" }, { signal });
  return Number(value);
}
