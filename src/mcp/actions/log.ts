import { isHoldfastError } from "../../protocol/errors.ts";
import type { OperationInput, OperationOutput } from "../../protocol/operations.ts";
import { quoteLines } from "../../protocol/quoted-text.ts";
import { outputCharacters } from "../answer/output-window.ts";
import { answer, type ToolAnswer } from "../answer/tool-answer.ts";
import type { ToolCall } from "../tool-call.ts";
import type { ProcessInput } from "../tools/process-input.ts";
import { idOf } from "./find-process.ts";

type Page = OperationOutput<"process.output">;

const defaultLines = 200;
const shrink = 0.8;

/** A page: from an offset or a line on, else the last lines. */
export async function log(call: ToolCall, input: ProcessInput): Promise<ToolAnswer> {
  const id = idOf(input);
  const most = outputCharacters(call.budgetTokens);
  for (let bytes = Math.min(most, 1_000_000); ; bytes = Math.floor(bytes * shrink)) {
    const page = await readPage(call, id, input, bytes);
    const text = page.text === undefined || page.text === "" ? "" : quoteLines(page.text);
    if (JSON.stringify(text).length <= most || bytes < 16) return pageAnswer(page, text);
  }
}

async function readPage(call: ToolCall, id: string, input: ProcessInput, limitBytes: number): Promise<Page> {
  const { signal, operations } = call;
  const read = async (where: Partial<OperationInput<"process.output">>): Promise<Page> =>
    await operations.call("process.output", { id, limitBytes, ...where }, { signal });
  const limitLines = input.limit ?? defaultLines;
  if (input.line !== undefined) return await read({ line: input.line, limitLines });
  if (input.offset !== undefined) return await readKept(read, input.offset, limitLines);
  const { from, end } = await read({ tailLines: limitLines, limitBytes: 1 });
  return await read({ from: Math.max(from, end - limitBytes) });
}

/** What was dropped cannot be read: the page begins behind it. */
async function readKept(
  read: (where: Partial<OperationInput<"process.output">>) => Promise<Page>,
  from: number,
  limitLines: number,
): Promise<Page> {
  try {
    return await read({ from, limitLines });
  } catch (error) {
    const first = isHoldfastError(error, "OUTPUT_TRIMMED") ? error.details["firstOffset"] : undefined;
    if (typeof first !== "number" || first <= from) throw error;
    return await read({ from: first, limitLines });
  }
}

function pageAnswer({ id, from, next, end, state, complete }: Page, text: string): ToolAnswer {
  const more =
    next < end
      ? `Go on with offset ${next}.`
      : complete
        ? "That is the end of its output."
        : `That is all so far; go on with offset ${next}.`;
  return answer(
    [`${id}, ${state}: offsets ${from} to ${next} of ${end}`, text === "" ? "(nothing)" : text, more],
    { id, state, output: text, from, cursor: next, end, complete, next: more },
  );
}
