// From an error to what a model is told: which, why, and what to do next.
import { HoldfastError, isHoldfastError } from "../../protocol/errors.ts";
import { quoteWord } from "../../protocol/quoted-text.ts";
import type { ToolAnswer } from "./tool-answer.ts";

// An error may quote a long argument.
const mostMessageCharacters = 2_000;

// The registry speaks to people at a command line; a model has tools.
const hintsForModels: Readonly<Record<string, string>> = {
  PROCESS_NOT_FOUND: 'Call process with action "list" to see the ids.',
  PROCESS_ENDED: 'Read its output with process, action "log"; run the command again to go on.',
  PROCESS_AMBIGUOUS: "Give more characters of the id.",
  STDIN_CLOSED: "Run it again with pty: true (or background: true) to be able to type into it.",
  NAME_IN_USE: 'Choose another name, or kill the process that has it: process, action "list".',
  TOO_MANY_PROCESSES: 'Kill one that is no longer needed: process, action "list".',
  NOT_YOURS: 'Call process with action "list" for yours; ask the person to share it: `holdfast share`.',
  OUTPUT_TRIMMED: "Read from details.firstOffset on.",
  DAEMON_UNREACHABLE: "Try again in a few seconds; processes go on meanwhile.",
  DAEMON_GONE: 'Look with process, action "list", before you repeat it; processes go on meanwhile.',
};

export function toHoldfastError(thrown: unknown): HoldfastError {
  if (isHoldfastError(thrown)) return thrown;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new HoldfastError("INTERNAL", `The tool failed: ${reason}`, { cause: thrown });
}

/** To be found again in `holdfast approvals`, and in the notice of its answer. */
function approvalOf({ details }: HoldfastError): { readonly approval?: string } {
  return typeof details["approval"] === "string" ? { approval: details["approval"] } : {};
}

export function failureAnswer(thrown: unknown): ToolAnswer {
  const error = toHoldfastError(thrown);
  const message = quoteWord(error.message, mostMessageCharacters);
  const hint = hintsForModels[error.code] ?? error.hint;
  return {
    text: `${error.code}: ${message}\nWhat to do: ${hint}`,
    structured: {
      error: { code: error.code, message, hint, retryable: error.retryable, ...approvalOf(error) },
    },
    isError: true,
  };
}
