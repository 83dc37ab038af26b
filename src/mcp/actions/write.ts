import type { InputPart } from "../../protocol/control.ts";
import { isHoldfastError } from "../../protocol/errors.ts";
import type { ToolAnswer } from "../answer/tool-answer.ts";
import { newWriter } from "../run-command.ts";
import type { ToolCall } from "../tool-call.ts";
import type { ProcessInput } from "../tools/process-input.ts";
import { idOf, needed } from "./find-process.ts";
import { lookAt } from "./poll.ts";

// What a program says to its input comes within moments: one call instead of two.
const quietMs = 300;
const mostReplyMs = 3_000;

function partsOf({ data, keys = [] }: ProcessInput): InputPart[] {
  return [...(data === undefined ? [] : [{ text: data }]), ...keys.map((key) => ({ key }))];
}

export async function write(call: ToolCall, input: ProcessInput): Promise<ToolAnswer> {
  const parts = partsOf(input);
  needed(parts[0], "data or keys", input.action);
  return await type(call, input, parts);
}

/** With Enter behind it: a carriage return for a terminal, a newline for a pipe. */
export async function submit(call: ToolCall, input: ProcessInput): Promise<ToolAnswer> {
  return await type(call, input, [...partsOf(input), { key: "enter" }]);
}

async function type(call: ToolCall, input: ProcessInput, parts: InputPart[]): Promise<ToolAnswer> {
  const { id, bytes } = await call.operations.call("process.write", {
    id: idOf(input),
    parts,
    writer: newWriter(),
    secret: input.secret ?? false,
  });
  await settle(call, id);
  return await lookAt(call, id, [`Typed ${bytes} bytes.`], { typedBytes: bytes });
}

/** Until it is quiet, has ended, or goes on talking. */
async function settle(call: ToolCall, id: string): Promise<void> {
  try {
    await call.operations.call(
      "process.wait",
      { ids: [id], for: { kind: "idle", ms: quietMs }, timeoutMs: mostReplyMs },
      { signal: call.signal },
    );
  } catch (error) {
    // It was typed: that must be told, whatever the look afterwards meets.
    if (!isHoldfastError(error)) throw error;
  }
}
