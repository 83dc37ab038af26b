import { quoteLines } from "../../protocol/quoted-text.ts";
import type { OperationOutput } from "../../protocol/operations.ts";
import { outputCharacters } from "../answer/output-window.ts";
import { answer, type ToolAnswer } from "../answer/tool-answer.ts";
import type { ToolCall } from "../tool-call.ts";
import type { ProcessInput } from "../tools/process-input.ts";
import { idOf, needed } from "./find-process.ts";

type Match = OperationOutput<"process.search">["matches"][number];

const defaultMatches = 20;
const mostMatches = 500;
const defaultContext = 2;

/** In all that is kept, or from an offset on. */
export async function search(call: ToolCall, input: ProcessInput): Promise<ToolAnswer> {
  const found = await call.operations.call(
    "process.search",
    {
      id: idOf(input),
      regex: needed(input.pattern, "a pattern", input.action),
      from: input.offset ?? 0,
      limit: Math.min(input.limit ?? defaultMatches, mostMatches),
      context: input.context ?? defaultContext,
    },
    { signal: call.signal },
  );
  const { shown, cut } = fit(found.matches, outputCharacters(call.budgetTokens));
  const next = cut?.offset ?? found.next;
  const more = next === null ? "That is all." : `There are more: go on with offset ${next}.`;
  return answer(
    [
      shown.length === 0 ? `No line of ${found.id} matches.` : `${shown.length} lines of ${found.id} match.`,
      ...shown.map(({ text }) => text),
      more,
    ],
    {
      id: found.id,
      matches: shown.map(({ match, text }) => ({ offset: match.offset, text })),
      cursor: next,
      next: more,
    },
  );
}

function fit(
  matches: readonly Match[],
  most: number,
): { shown: { match: Match; text: string }[]; cut?: Match } {
  const shown: { match: Match; text: string }[] = [];
  let size = 0;
  for (const match of matches) {
    const text = matchText(match);
    size += JSON.stringify(text).length + 40;
    if (size > most && shown.length > 0) return { shown, cut: match };
    shown.push({ match, text });
  }
  return { shown };
}

/** The matching line stands out from those around it. */
function matchText({ offset, at, before, line, after }: Match): string {
  return [
    // To the second: twenty of them are read at once.
    `offset ${offset}, ${at.replace(/\.\d+Z$/, "Z")}:`,
    ...(before.length === 0 ? [] : [quoteLines(before.join("\n"))]),
    quoteLines(line).replace(/^ {2}\|/, " >|"),
    ...(after.length === 0 ? [] : [quoteLines(after.join("\n"))]),
  ].join("\n");
}
