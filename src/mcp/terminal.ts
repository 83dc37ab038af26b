// The tool `terminal`: runs a command, waits a while, tells what came of it. What outlives the wait goes on.
import { HoldfastError } from "../protocol/errors.ts";
import type { ApprovalView } from "../protocol/policy.ts";
import type { ProcessView } from "../protocol/process.ts";
import { quotePath, quoteWord } from "../protocol/quoted-text.ts";
import { backgroundHint } from "./answer/background-hint.ts";
import { durationText, processFacts, stateText, workdirOf } from "./answer/describe-process.ts";
import { readWindow, type OutputWindow } from "./answer/output-window.ts";
import { answer, type ToolAnswer } from "./answer/tool-answer.ts";
import { nothingLooked } from "./cursors.ts";
import { runCommand } from "./run-command.ts";
import type { ToolCall } from "./tool-call.ts";
import { defaultWaitSeconds, mostWaitSeconds, type TerminalInput } from "./tools/terminal-input.ts";
import { waitWithProgress, type Waited } from "./wait-with-progress.ts";

// A background command that fails at once should say so at once.
const backgroundLookMs = 300;
const mostRemarkCharacters = 1_000;

/** @throws HoldfastError INVALID_ARGUMENT */
export function waitMsOf(timeout: number | undefined): { readonly waitMs: number; readonly note?: string } {
  if (timeout === undefined) return { waitMs: defaultWaitSeconds * 1_000 };
  if (timeout <= mostWaitSeconds) return { waitMs: Math.max(1, Math.round(timeout * 1_000)) };
  const note = `timeout is in seconds and at most ${mostWaitSeconds}: waited ${mostWaitSeconds} s.`;
  return { waitMs: mostWaitSeconds * 1_000, note };
}

export async function terminal(call: ToolCall, input: TerminalInput): Promise<ToolAnswer> {
  const beganMs = performance.now();
  const start = await runCommand(call, input);
  if ("asks" in start) return askAnswer(start.asks);
  const { started } = start;
  if (started.exit?.kind === "spawn_failed") throw spawnFailure(started);
  const isBackground = input.background === true || input.timeout === 0;
  const { waitMs, note } = isBackground
    ? { waitMs: backgroundLookMs, note: undefined }
    : waitMsOf(input.timeout);
  const waited = await waitWithProgress(call, {
    id: started.id,
    timeoutMs: leftOf(waitMs, performance.now() - beganMs),
    noticesPrompts: input.pty === true && !isBackground,
  });
  // They may name a directory that a program made.
  const told = started.notes.map((remark) => quoteWord(remark, mostRemarkCharacters));
  const hint = isBackground ? undefined : backgroundHint(input.command);
  const notes = call.remarks.fresh(call.session, hint === undefined ? told : [...told, hint]);
  if (note !== undefined) notes.push(note);
  return await terminalAnswer(call, waited, { isBackground, notes });
}

/** A person may have taken their time before it ran: the client's patience is for both. */
function leftOf(waitMs: number, elapsedMs: number): number {
  return Math.round(Math.max(backgroundLookMs, Math.min(waitMs, mostWaitSeconds * 1_000 - elapsedMs)));
}

function askAnswer(asks: ApprovalView): ToolAnswer {
  const told = answer([`Nothing was started: a person must allow it first (approval ${asks.id}).`], {
    approval: asks.id,
  });
  return { ...told, asks };
}

function spawnFailure({ id, exit, cwd }: ProcessView): HoldfastError {
  const failed = exit?.kind === "spawn_failed" ? exit : { stage: "exec", message: "" };
  const hint =
    failed.stage === "cwd"
      ? `Give a workdir that exists: ${quotePath(cwd)} cannot be entered.`
      : "Correct the command; nothing was run.";
  return new HoldfastError(
    "INVALID_ARGUMENT",
    `${id} could not be started (${failed.stage}): ${failed.message}`,
    {
      hint,
    },
  );
}

interface AnswerOptions {
  readonly isBackground: boolean;
  readonly notes: readonly string[];
}

/** Also the result of a task: the same process, asked later. */
export async function terminalAnswer(
  call: ToolCall,
  waited: Pick<Waited, "process" | "waitedMs" | "prompt">,
  { isBackground, notes }: AnswerOptions,
): Promise<ToolAnswer> {
  const { process } = waited;
  const window = await readWindow(call.operations, {
    id: process.id,
    from: 0,
    budgetTokens: call.budgetTokens,
    signal: call.signal,
  });
  if (window.next > 0) call.cursors.tell(call, process.id, nothingLooked, { offset: window.next });
  const next = process.state === "ended" ? undefined : nextStep(process.id, waited, isBackground);
  return answer(
    [
      headline(process, waited, isBackground),
      window.text === "" ? "(no output)" : window.text,
      window.omitted.length > 0
        ? `Read what is left out with process, action "log", id "${process.id}", offset ${window.omitted[0]?.from}.`
        : undefined,
      next,
      ...notes,
    ],
    {
      ...processFacts(process),
      output: window.text,
      cursor: window.next,
      ...omittedOf(window),
      ...(waited.prompt === undefined ? {} : { waitsFor: waited.prompt }),
      ...(next === undefined ? {} : { next }),
      ...(notes.length === 0 ? {} : { notes }),
    },
  );
}

export function omittedOf({ omitted }: Pick<OutputWindow, "omitted">): Record<string, unknown> {
  return omitted.length === 0 ? {} : { omitted };
}

function headline(
  process: ProcessView,
  { waitedMs, prompt }: Pick<Waited, "waitedMs" | "prompt">,
  isBackground: boolean,
): string {
  if (process.state === "ended") {
    return `${stateText(process)} after ${durationText(process.uptimeMs)}, in ${quotePath(workdirOf(process))}; ${process.id}`;
  }
  if (prompt === "password") return `${process.id} asks for a password.`;
  if (prompt === "input") return `${process.id} waits for input.`;
  if (isBackground) return `${process.id} runs in the background, in ${quotePath(workdirOf(process))}.`;
  return `${process.id} still runs after ${durationText(waitedMs)}; it was not ended and goes on in the background. Output so far:`;
}

function nextStep(id: string, { prompt }: Pick<Waited, "prompt">, isBackground: boolean): string {
  if (prompt !== undefined) {
    return `Answer with process, action "submit", id "${id}", data "…"; see the screen with action "screen".`;
  }
  const told = isBackground ? "You are told when it ends (tool notifications). " : "";
  return `${told}Go on with process, id "${id}": action "wait" (for its end, a port, a line), "poll" for what is new, "kill" to end it.`;
}
