import type { ProcessDetail } from "../../protocol/process.ts";
import { processFacts, processLine } from "../answer/describe-process.ts";
import { readWindow } from "../answer/output-window.ts";
import { answer, type ToolAnswer } from "../answer/tool-answer.ts";
import { omittedOf } from "../terminal.ts";
import type { ToolCall } from "../tool-call.ts";
import type { ProcessInput } from "../tools/process-input.ts";
import { idOf } from "./find-process.ts";

export async function poll(call: ToolCall, input: ProcessInput): Promise<ToolAnswer> {
  return await lookAt(call, idOf(input));
}

/** Its state, and what it wrote since this session last looked. */
export async function lookAt(
  call: ToolCall,
  id: string,
  first: readonly (string | undefined)[] = [],
  facts: Readonly<Record<string, unknown>> = {},
): Promise<ToolAnswer> {
  const { signal, operations, budgetTokens } = call;
  const process = await operations.call("process.get", { id }, { signal });
  const looked = await call.cursors.get(call, process.id);
  const from = process.outputRemoved ? process.outputBytes : looked.offset;
  const window = process.outputRemoved
    ? { text: "", next: from, omitted: [] }
    : await readWindow(operations, { id: process.id, from, budgetTokens, signal });
  if (window.next !== looked.offset) call.cursors.tell(call, process.id, looked, { offset: window.next });
  const prompt = promptOf(process);
  return answer(
    [
      ...first,
      processLine(process),
      prompt === undefined ? undefined : `It waits for ${prompt}: process, action "submit".`,
      process.outputRemoved ? "(its output is no longer kept)" : undefined,
      window.text === "" ? "(nothing new)" : window.text,
    ],
    {
      ...facts,
      ...processFacts(process),
      output: window.text,
      from,
      cursor: window.next,
      ...omittedOf(window),
      ...(prompt === undefined ? {} : { waitsFor: prompt }),
    },
  );
}

function promptOf({ inputWait, state }: ProcessDetail): "input" | "a password" | undefined {
  if (state === "ended" || inputWait.guess) return undefined;
  if (inputWait.waits === "password") return "a password";
  return inputWait.waits === "yes" ? "input" : undefined;
}
