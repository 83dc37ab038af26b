// Is a pattern one that can be matched in linear time, and in a time worth waiting for?
import { RE2JS } from "re2js";
import { HoldfastError } from "../../protocol/errors.ts";

/**
 * Steps of all patterns of a process together. Matching costs at most so many per character: the slowest set of this
 * size takes some seconds for a line of 64 KiB that is made for it, and 10 patterns as people write them have 500.
 */
export const mostSteps = 5_000;

/** How many steps the patterns have. @throws HoldfastError INVALID_ARGUMENT */
export function checkPatterns(regexes: readonly string[]): number {
  const steps = regexes.reduce((sum, regex) => sum + stepsOf(regex), 0);
  if (steps <= mostSteps) return steps;
  throw tooLarge(`The patterns of one process unfold to ${steps} steps`);
}

/** @throws HoldfastError INVALID_ARGUMENT */
export function compilePattern(regex: string): RE2JS {
  // Before it is compiled: that alone takes half a second for a thousand characters full of repetitions.
  if (unfoldedLength(regex) > mostSteps) throw tooLarge("The pattern has too many repetitions");
  try {
    return RE2JS.compile(regex);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HoldfastError("INVALID_ARGUMENT", `The pattern cannot be used: ${reason}`, {
      details: { regex },
      hint: "Patterns are RE2: no look-around and no back-references.",
      cause: error,
    });
  }
}

function stepsOf(regex: string): number {
  return compilePattern(regex).programSize();
}

function tooLarge(what: string): HoldfastError {
  return new HoldfastError("INVALID_ARGUMENT", `${what}; at most ${mostSteps} are allowed.`, {
    hint: "Use smaller counts in {…}, or * and + instead.",
  });
}

const token = /\\.|\[(?:\^?\]?)(?:\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|[\s\S]/g;

/** About how many characters it stands for when its counted repetitions are written out. */
function unfoldedLength(regex: string): number {
  const groups: number[] = [];
  let sum = 0;
  let last = 0;
  for (const [text, least, most] of regex.matchAll(token)) {
    if (least !== undefined) {
      const times = Math.max(1, Number(least), Number(most ?? 0));
      sum += last * (times - 1);
      last *= times;
    } else if (text === "(") {
      groups.push(sum);
      sum = 0;
      last = 0;
    } else if (text === ")") {
      last = sum;
      sum += groups.pop() ?? 0;
    } else {
      last = 1;
      sum += 1;
    }
  }
  return groups.reduce((total, length) => total + length, sum);
}
