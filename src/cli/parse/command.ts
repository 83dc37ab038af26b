// The command as a shell user means it: words are executed as they are, one text with spaces is run by a shell.
import { statSync } from "node:fs";
import { invalidArgument } from "./invalid-argument.ts";

/** @throws HoldfastError INVALID_ARGUMENT */
export function commandOf(words: string[]): string | string[] {
  const [first] = words;
  if (first === undefined || first === "") {
    throw invalidArgument(
      "There is no command to run.",
      "Write it after the options: holdfast run -- COMMAND.",
    );
  }
  return words.length === 1 && /\s/.test(first) && !isFile(first) ? first : words;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
