import { createHash } from "node:crypto";
import { quoteLines } from "../../protocol/quoted-text.ts";
import type { ScreenOutput } from "../../protocol/terminals.ts";
import { changedLines } from "../../util/changed-lines.ts";
import { processFacts, processLine } from "../answer/describe-process.ts";
import { answer, type ToolAnswer } from "../answer/tool-answer.ts";
import type { ToolCall } from "../tool-call.ts";
import type { ProcessInput } from "../tools/process-input.ts";
import { idOf } from "./find-process.ts";

/** What is on the screen now, where the cursor is, and which lines changed since this session last saw it. */
export async function screen(call: ToolCall, input: ProcessInput): Promise<ToolAnswer> {
  const { operations, signal } = call;
  const process = await operations.call("process.get", { id: idOf(input) }, { signal });
  const shown = await operations.call("process.screen", { id: process.id }, { signal });
  const looked = await call.cursors.get(call, process.id);
  const marks = shown.lines.map(markOf);
  // By the marks, not by `since`: what this session saw last may have been told by another server, and by another daemon.
  const changes = looked.screen === null ? undefined : changedLines(looked.screen, marks);
  if (JSON.stringify(marks) !== JSON.stringify(looked.screen))
    call.cursors.tell(call, process.id, looked, { screen: marks });
  const { cursor, columns, rows, isAlternate, title } = shown;
  const remark = remarkOf(shown);
  const lines = shown.lines.length === 0 ? "(the screen is empty)" : quoteLines(shown.lines.join("\n"));
  return answer(
    [
      processLine(process),
      `Screen of ${columns}×${rows}${isAlternate ? ", full-screen program" : ""}; cursor in line ${cursor.line}, column ${cursor.column}:`,
      lines,
      changes === undefined ? undefined : changeText(changes),
      remark,
    ],
    {
      ...processFacts(process),
      screen: lines,
      columns,
      rows,
      cursor: { line: cursor.line, column: cursor.column },
      isAlternate,
      ...(title === "" ? {} : { title: quoteLines(title) }),
      ...(changes === undefined ? {} : { changedLines: changes }),
      ...(remark === undefined ? {} : { remark }),
    },
  );
}

/** Enough to tell two lines apart, and nothing of what they say: it is stored. */
function markOf(line: string): string {
  return line === "" ? "" : createHash("sha256").update(line).digest("base64").slice(0, 10);
}

function remarkOf({ missing }: ScreenOutput): string | undefined {
  if (missing === undefined) return undefined;
  return `Drawn from offset ${missing.to} of its output on; what an older part drew and nobody drew over is missing.`;
}

function changeText(changes: readonly number[]): string {
  if (changes.length === 0) return "Nothing changed since your last look.";
  return `Changed since your last look: ${changes.length === 1 ? "line" : "lines"} ${changes.join(", ")}.`;
}
