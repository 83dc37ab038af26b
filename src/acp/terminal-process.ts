// A terminal that is there: how it stands, what it wrote, its end.
import { HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import type { CallOptions, Operations } from "../protocol/operations.ts";
import type { ProcessExit, ProcessView } from "../protocol/process.ts";
import { outputTail } from "./output-tail.ts";
import type { TerminalAnswers, TerminalExit } from "./terminal-methods.ts";
import { isTerminalOf, limitBytesOf } from "./terminal-start.ts";

const defaultLimitBytes = 1_048_576;
// Fits, escaped, into one message of the official SDK (32 MiB).
const mostLimitBytes = 8 * 1_048_576;

/** Only what terminal/create of this session made, by its whole id; undefined: nothing. @throws HoldfastError as process.get */
export async function findTerminal(
  operations: Operations,
  sessionId: string,
  terminalId: string,
  options: CallOptions,
): Promise<ProcessView | undefined> {
  try {
    const view = await operations.call("process.get", { id: terminalId }, options);
    // Names and beginnings of ids are for people.
    return view.id === terminalId && isTerminalOf(view.labels, sessionId) ? view : undefined;
  } catch (error) {
    if (isHoldfastError(error, "PROCESS_NOT_FOUND", "PROCESS_AMBIGUOUS", "INVALID_ARGUMENT"))
      return undefined;
    throw error;
  }
}

/** @param view looked at just before: an end in it comes with everything that was written */
export async function readTerminal(
  operations: Operations,
  { id, labels, exit }: ProcessView,
  options: CallOptions,
): Promise<TerminalAnswers["terminal/output"]> {
  const limitBytes = Math.min(limitBytesOf(labels) ?? defaultLimitBytes, mostLimitBytes);
  const exitStatus = exit === null ? null : exitOf(exit);
  try {
    return { ...(await outputTail(operations, id, limitBytes, options)), exitStatus };
  } catch (error) {
    if (!isHoldfastError(error, "OUTPUT_TRIMMED")) throw error;
    return { output: "", truncated: true, exitStatus }; // removed by retention
  }
}

export async function waitForExit(
  operations: Operations,
  { id, exit }: ProcessView,
  options: CallOptions,
): Promise<TerminalExit> {
  let known = exit;
  // A wait has a longest time; an agent's has none.
  while (known === null) {
    const { results } = await operations.call("process.wait", { ids: [id] }, options);
    known = results[0]?.process.exit ?? null;
  }
  return exitOf(known);
}

/** Nothing of it runs afterwards. @throws HoldfastError */
export async function stopTerminal(operations: Operations, id: string): Promise<void> {
  const input = { ids: [id] };
  const { results } = await operations.call("process.stop", input).catch((error: unknown) => {
    // May be asked twice: what has ended stays so.
    if (isHoldfastError(error, "DAEMON_GONE")) return operations.call("process.stop", input);
    throw error;
  });
  const error = results[0]?.error;
  if (error !== undefined) throw new HoldfastError("INTERNAL", error.message, { hint: error.hint });
}

function exitOf(exit: ProcessExit): TerminalExit {
  if (exit.kind === "exited") return { exitCode: exit.code, signal: null };
  return { exitCode: null, signal: exit.kind === "signaled" ? exit.signal : null };
}
