// A start that may need a person's word: whoever is at the client is asked there, everybody else can answer meanwhile, and the caller
// waits no longer than a client does.
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

/** @throws HoldfastError as process.start */
export async function startApproved(call: ToolCall, input: StartInput): Promise<Start> {
  const said = call.person?.said;
  if (said?.answer === "deny") throw await refuse(call, said);
  try {
    // Without the signal: a caller that gives up now must not leave a start half done.
    return { started: await call.operations.call("process.start", { ...input, approvalWaitMs: 0 }) };
  } catch (error) {
    if (!isHoldfastError(error, "APPROVAL_PENDING")) throw error;
    const approval = await pendingApproval(call, String(error.details["approval"]));
    if (approval === undefined) throw error;
    const door = await openDoor(call);
    // Only what was said about this very command counts.
    if (door !== undefined && said?.approval === approval.id) await answer(door, said);
    else if (door !== undefined && door.ask === undefined) return { asks: approval };
    return { started: await waitForWord(call, input, approval, door) };
  }
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

/** Whatever was said elsewhere meanwhile: who says no here does not want it to run. */
async function refuse(call: ToolCall, said: Said): Promise<HoldfastError> {
  const door = await openDoor(call);
  if (door !== undefined && (await pendingApproval(call, said.approval)) !== undefined)
    await answer(door, said);
  return new HoldfastError("APPROVAL_REFUSED", "A person refused this command. Nothing was started.", {
    details: { approval: said.approval },
  });
}

async function waitForWord(
  call: ToolCall,
  input: StartInput,
  approval: ApprovalView,
  door: PersonDoor | undefined,
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
      ...(door?.ask === undefined ? [] : [askNow(door, approval, signal)]),
    ]);
  } finally {
    clearInterval(telling);
    over.abort();
  }
}

/** Never resolves: the start that waits hears the answer. @throws HoldfastError PERSON_REQUIRED */
async function askNow(door: PersonDoor, approval: ApprovalView, signal: AbortSignal): Promise<never> {
  try {
    const said = await door.ask?.(approval, signal);
    if (said !== undefined) await answer(door, said);
  } catch (error) {
    if (isHoldfastError(error, "PERSON_REQUIRED")) throw error;
    // A client that cannot show the form, or was told to close it: others may answer.
  }
  return await new Promise<never>(() => undefined);
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
