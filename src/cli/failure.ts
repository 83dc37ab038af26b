// An error as the command line tells it: on standard error, with the next step, and as an exit code.
import { CommanderError } from "commander";
import { errorRegistry, HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import { safeJson } from "../util/safe-text.ts";
import { safeLines } from "./format/safe-text.ts";

/** Commander's own complaint about a command line, or anything else that was thrown, as one of ours. */
function asHoldfastError(error: unknown, verb: string): HoldfastError {
  if (isHoldfastError(error)) return error;
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, "").replaceAll("\n", " ");
    return new HoldfastError("INVALID_ARGUMENT", message, { hint: `See \`holdfast ${verb}--help\`.` });
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && "syscall" in error && error.syscall === "uv_cwd") {
    return new HoldfastError("NOT_A_DIRECTORY", "The directory you are in is not there any more.", {
      cause: error,
      hint: "Go to one that exists (cd), or name one where the command takes it.",
    });
  }
  return new HoldfastError("INTERNAL", message, { cause: error });
}

/** Tells the error and returns the exit code. */
export function tellFailure(thrown: unknown, { verb, json }: { verb: string; json: boolean }): number {
  const error = asHoldfastError(thrown, verb);
  const { code, message, hint, details } = error;
  if (json) {
    process.stderr.write(`${safeJson(JSON.stringify({ error: { code, message, hint, details } }))}\n`);
  } else {
    process.stderr.write(`holdfast: ${safeLines(message)} [${code}]\n${safeLines(hint)}\n`);
    if (code === "INTERNAL" && error.cause instanceof Error) process.stderr.write(`${error.cause.stack}\n`);
  }
  return errorRegistry[code].exitCode;
}
