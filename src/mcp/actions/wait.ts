import { HoldfastError } from "../../protocol/errors.ts";
import type { Condition } from "../../protocol/wait.ts";
import { quoteLines, quoteWord } from "../../protocol/quoted-text.ts";
import { durationText } from "../answer/describe-process.ts";
import type { ToolAnswer } from "../answer/tool-answer.ts";
import { waitMsOf } from "../terminal.ts";
import type { ToolCall } from "../tool-call.ts";
import type { ProcessInput } from "../tools/process-input.ts";
import { waitWithProgress, type Waited } from "../wait-with-progress.ts";
import { idOf, needed } from "./find-process.ts";
import { lookAt } from "./poll.ts";

const defaultIdleSeconds = 2;

/** @throws HoldfastError INVALID_ARGUMENT */
function conditionOf(input: ProcessInput): Condition {
  const { action } = input;
  switch (input.for ?? "exit") {
    case "match":
      return {
        kind: "match",
        regex: needed(input.pattern, "a pattern", action),
        stream: "both",
        ...(input.offset === undefined ? {} : { from: input.offset }),
      };
    case "port":
      return { kind: "port", port: needed(input.port, "a port", action) };
    case "http":
      return { kind: "http", url: urlOf(needed(input.url, "a url", action)) };
    case "idle":
      return { kind: "idle", ms: Math.max(1, Math.round((input.idle ?? defaultIdleSeconds) * 1_000)) };
    default:
      return { kind: "exit" };
  }
}

function urlOf(text: string): string {
  if (URL.canParse(text) && /^https?:/i.test(text)) return text;
  throw new HoldfastError("INVALID_ARGUMENT", `"${text}" is no address that can be asked.`, {
    hint: "Give a url like http://127.0.0.1:3000/.",
  });
}

/** Leaves the process alone, whatever ends the wait. */
export async function wait(call: ToolCall, input: ProcessInput): Promise<ToolAnswer> {
  const condition = conditionOf(input);
  const { waitMs, note } = waitMsOf(input.timeout);
  const waited = await waitWithProgress(call, {
    id: idOf(input),
    for: condition,
    timeoutMs: waitMs,
    noticesPrompts: condition.kind === "exit",
  });
  const { match } = waited;
  return await lookAt(call, waited.id, [outcomeText(waited, condition), note], {
    outcome: waited.outcome === "pending" ? (waited.prompt ?? "timeout") : waited.outcome,
    waitedMs: waited.waitedMs,
    ...(match === undefined ? {} : { match: { offset: match.offset, line: matchedLine(match) } }),
  });
}

function matchedLine({ line }: { readonly line: string }): string {
  return quoteLines(quoteWord(line, 500));
}

function outcomeText({ outcome, match, prompt, waitedMs }: Waited, { kind }: Condition): string {
  const time = durationText(waitedMs);
  if (prompt !== undefined)
    return `It asks for ${prompt === "password" ? "a password" : "input"} (after ${time}).`;
  if (outcome === "pending") return `Not yet, after ${time}. It goes on; wait again, or do something else.`;
  if (kind === "exit") return `It has ended (waited ${time}).`;
  if (outcome === "ended") return `It ended before that (after ${time}).`;
  if (match !== undefined)
    return `A line matches, at offset ${match.offset} (after ${time}):\n${matchedLine(match)}`;
  return `So it is (after ${time}).`;
}
