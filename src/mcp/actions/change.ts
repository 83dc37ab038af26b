// Actions that are one operation each.
import { processFacts, processLine } from "../answer/describe-process.ts";
import { answer, type ToolAnswer } from "../answer/tool-answer.ts";
import { HoldfastError, type ErrorCode } from "../../protocol/errors.ts";
import type { ToolCall } from "../tool-call.ts";
import type { ProcessInput } from "../tools/process-input.ts";
import { idOf, needed } from "./find-process.ts";
import { lookAt } from "./poll.ts";

const stopTexts = {
  already_ended: "It had ended already.",
  ended: "It ended when it was asked to.",
  killed: "It was killed.",
  still_running: "It still runs.",
} as const;

export async function kill(call: ToolCall, input: ProcessInput): Promise<ToolAnswer> {
  const { results } = await call.operations.call("process.stop", {
    ids: [idOf(input)],
    ...(input.force === true ? { graceMs: 0 } : {}),
  });
  const [result] = results;
  if (result === undefined) throw new HoldfastError("INTERNAL", "The stop of one process told of none.");
  const { outcome, error } = result;
  // The daemon's own code: both sides are made from one registry.
  if (outcome === "failed") {
    throw new HoldfastError(
      (error?.code ?? "INTERNAL") as ErrorCode,
      error?.message ?? "It could not be ended.",
    );
  }
  return await lookAt(call, result.id, [stopTexts[outcome]], { outcome });
}

export async function close(call: ToolCall, input: ProcessInput): Promise<ToolAnswer> {
  const view = await call.operations.call("process.close-stdin", { id: idOf(input) });
  return answer([`The input of ${view.id} is closed.`, processLine(view)], processFacts(view));
}

export async function signal(call: ToolCall, input: ProcessInput): Promise<ToolAnswer> {
  const sent = await call.operations.call("process.signal", {
    id: idOf(input),
    signal: signalOf(needed(input.signal, "a signal", input.action)),
  });
  return await lookAt(call, sent.id, [`${sent.signal} was sent.`], {
    signal: sent.signal,
    reached: sent.reached,
  });
}

/** @throws HoldfastError INVALID_ARGUMENT */
function signalOf(text: string): string | number {
  return /^\d{1,2}$/.test(text) ? Number(text) : text;
}

export async function rename(call: ToolCall, input: ProcessInput): Promise<ToolAnswer> {
  const view = await call.operations.call("process.rename", { id: idOf(input), name: input.name ?? null });
  return answer([processLine(view)], processFacts(view));
}

/** Of the dashboard: the process goes on. */
export async function closeView(call: ToolCall, input: ProcessInput): Promise<ToolAnswer> {
  const { id, closed } = await call.operations.call("view.close", { id: idOf(input) });
  const text = `${closed} ${closed === 1 ? "view" : "views"} of ${id} ${closed === 1 ? "is" : "are"} closed; the process is left alone.`;
  return answer([text], { id, closed });
}
