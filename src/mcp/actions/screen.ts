import { createHash } from "node:crypto";
import { HoldfastError } from "../../protocol/errors.ts";
import { quoteLines } from "../../protocol/quoted-text.ts";
import { processFacts, processLine } from "../answer/describe-process.ts";
import { answer, type ToolAnswer } from "../answer/tool-answer.ts";
import { changedLines } from "../screen/screens.ts";
import type { ToolCall } from "../tool-call.ts";
import type { ProcessInput } from "../tools/process-input.ts";
import { idOf } from "./find-process.ts";

/** What is on the screen now, where the cursor is, and which lines changed since this session last saw it. */
export async function screen(call: ToolCall, input: ProcessInput): Promise<ToolAnswer> {
  const { operations, signal, session } = call;
  const process = await operations.call("process.get", { id: idOf(input) }, { signal });
  if (process.mode !== "pty") {
    throw new HoldfastError("NOT_A_TERMINAL", `${process.id} has no terminal.`, {
      hint: 'Run it again with pty: true; its output is read with action "log".',
    });
  }
  const shown = await call.screens.look({ operations, process, session, signal });
  const looked = await call.cursors.get(call, process.id);
  const marks = shown.lines.map(markOf);
  // Also when the last look was another server's, before it was killed.
  const changes = shown.changes ?? (looked.screen === null ? undefined : changedLines(looked.screen, marks));
  if (JSON.stringify(marks) !== JSON.stringify(looked.screen))
    call.cursors.tell(call, process.id, looked, { screen: marks });
  const { cursor } = shown;
  const lines = shown.lines.length === 0 ? "(the screen is empty)" : quoteLines(shown.lines.join("\n"));
  const changed = changes === undefined ? undefined : changeText(changes);
  return answer(
    [
      processLine(process),
      `Screen of ${shown.columns}×${shown.rows}${shown.isAlternate ? ", full-screen program" : ""}; cursor in line ${cursor.line}, column ${cursor.column}:`,
      lines,
      changed,
      shown.remark,
    ],
    {
      ...processFacts(process),
      screen: lines,
      columns: shown.columns,
      rows: shown.rows,
      cursor,
      isAlternate: shown.isAlternate,
      ...(changes === undefined ? {} : { changedLines: changes }),
      ...(shown.remark === undefined ? {} : { remark: shown.remark }),
    },
  );
}

/** Enough to tell two lines apart, and nothing of what they say: it is stored. */
function markOf(line: string): string {
  return line === "" ? "" : createHash("sha256").update(line).digest("base64").slice(0, 10);
}

function changeText(changes: readonly number[]): string {
  if (changes.length === 0) return "Nothing changed since your last look.";
  return `Changed since your last look: ${changes.length === 1 ? "line" : "lines"} ${changes.join(", ")}.`;
}
