import { commandText, processFacts, processLine } from "../answer/describe-process.ts";
import { outputCharacters } from "../answer/output-window.ts";
import { answer, type ToolAnswer } from "../answer/tool-answer.ts";
import type { ToolCall } from "../tool-call.ts";
import type { ProcessInput } from "../tools/process-input.ts";

/** Those that run first, then the newest. */
export async function list(call: ToolCall, { all, limit = 50 }: ProcessInput): Promise<ToolAnswer> {
  const { processes } = await call.operations.call(
    "process.list",
    { limit: 1_000, ...(all === true ? {} : { session: call.session }) },
    { signal: call.signal },
  );
  const ordered = [
    ...processes.filter(({ state }) => state !== "ended"),
    ...processes.filter(({ state }) => state === "ended"),
  ].slice(0, limit);
  const shown = fitting(ordered, outputCharacters(call.budgetTokens), (process) =>
    Math.max(processLine(process).length + 1, JSON.stringify(factsOf(process)).length + 1),
  );
  const left = processes.length - shown.length;
  return answer(
    [
      shown.length === 0 ? "No processes." : undefined,
      ...shown.map(processLine),
      left > 0 ? `${left} more are not shown; ask with a larger limit or by id.` : undefined,
    ],
    { processes: shown.map(factsOf), notShown: left },
  );
}

function factsOf(process: Parameters<typeof processLine>[0]): Record<string, unknown> {
  return { ...processFacts(process), command: commandText(process) };
}

export function fitting<Item>(items: readonly Item[], most: number, sizeOf: (item: Item) => number): Item[] {
  let size = 0;
  return items.filter((item) => {
    size += sizeOf(item);
    return size <= most;
  });
}
