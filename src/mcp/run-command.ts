// From a command to a running process: the one place where it is started. It runs in the shell of its session: where the last command
// ended, with what it exported.
import type { OperationInput } from "../protocol/operations.ts";
import { startApproved, type Start } from "./approvals/start-approved.ts";
import type { TerminalInput } from "./tools/terminal-input.ts";
import type { ToolCall } from "./tool-call.ts";

/** Prompts and key bindings want a size that full-screen programs are used to. */
const terminalSize = { columns: 120, rows: 30 };

/** Without a terminal a foreground command must not wait for somebody to type; one in the background may be typed into. */
function stdinOf(input: TerminalInput): "open" | "empty" {
  return input.pty === true || input.background === true || input.stdin !== undefined ? "open" : "empty";
}

/** What a command asks of Holdfast itself, it asks for its session. */
function environmentOf(
  session: string,
  environment: OperationInput<"process.start">["environment"] = {},
): OperationInput<"process.start">["environment"] {
  const set = { HOLDFAST_SESSION: session, ...environment.set };
  // Output of Python is to be seen as it comes. Said here, so that it needs no remark in every answer.
  const name = "PYTHONUNBUFFERED";
  const isSaid = environment.caller?.[name] !== undefined;
  return { ...environment, set: isSaid ? set : { [name]: "1", ...set } };
}

export function startInputOf(
  input: TerminalInput,
  call: Pick<ToolCall, "startDefaults" | "session">,
): OperationInput<"process.start"> {
  const { cwd: firstCwd, ...defaults } = call.startDefaults;
  return {
    ...defaults,
    environment: environmentOf(call.session, defaults.environment),
    command: input.command,
    shell: { session: call.session, ...(firstCwd === undefined ? {} : { firstCwd }) },
    ...(input.workdir === undefined ? {} : { cwd: input.workdir }),
    // One stream, in the order in which it was written: as a person would see it.
    ...(input.pty === true ? { mode: "pty", ...terminalSize } : { mode: "merged" }),
    stdin: stdinOf(input),
    ...(input.name === undefined ? {} : { name: input.name }),
    owner: { session: call.session },
    lifetime: "session",
    // Also for a foreground command: it may outlive its time. One whose end was answered is not told again.
    notify: input.notify ?? "end",
    ...(input.limit === undefined
      ? {}
      : { limits: { wallMs: Math.max(1, Math.round(input.limit * 1_000)) } }),
    watches: (input.watch ?? []).map((regex) => ({ kind: "regex", regex, from: "start" })),
    // A daemon that was killed before it answered is asked again; the command must not run twice.
    idempotencyKey: crypto.randomUUID(),
  };
}

/** A writer of its own for each text: a retry is recognised. */
export function newWriter(): { id: string; sequence: number } {
  return { id: crypto.randomUUID().replaceAll("-", "").slice(0, 16), sequence: 0 };
}

async function giveInput(call: ToolCall, id: string, text: string, isTerminal: boolean): Promise<void> {
  await call.operations.call("process.write", { id, parts: [{ text }], writer: newWriter() });
  if (!isTerminal) await call.operations.call("process.close-stdin", { id });
}

/** @throws HoldfastError as process.start */
export async function runCommand(call: ToolCall, input: TerminalInput): Promise<Start> {
  const start = await startApproved(call, startInputOf(input, call));
  if ("asks" in start) return start;
  const { id, state } = start.started;
  if (input.stdin !== undefined && state !== "ended") {
    await giveInput(call, id, input.stdin, input.pty === true);
  }
  return start;
}
