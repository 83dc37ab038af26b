// A rule's command as a pattern. Words in order, options in any order; `*` is any text in one word, `...` whatever follows.
import { nameOf } from "../shell/inner-command.ts";
import type { ArgumentWord } from "../shell/words.ts";
import { canonicalLetter, hasLongShortOptions, leadingValued, letterOfLong } from "./option-names.ts";

export interface CommandPattern {
  readonly program: string;
  /** Words that are no options. */
  readonly words: readonly string[];
  readonly options: readonly string[];
  /** Further words and options may follow. */
  readonly isOpen: boolean;
}

/** may: it depends on what is only known at run time. */
export type Fit = "yes" | "may" | "no";

export function compilePattern(command: string | readonly string[]): CommandPattern {
  const [program = "", ...rest] = typeof command === "string" ? command.trim().split(/\s+/) : command;
  const isOpen = rest.includes("...");
  const words = rest.filter((word) => word !== "...");
  return {
    program,
    words: words.filter((word) => !isOption(word)),
    options: words.filter(isOption),
    isOpen,
  };
}

export function shownPattern({ program, options, words, isOpen }: CommandPattern): string {
  return [program, ...words, ...options, ...(isOpen ? ["..."] : [])].join(" ");
}

export function fits(pattern: CommandPattern, argv: readonly ArgumentWord[]): Fit {
  const [program, ...rest] = argv;
  if (program === undefined || !fitsProgram(pattern.program, program)) return "no";
  const given = divide(nameOf(program), rest);
  const isFixed = !given.all.some(({ isDynamic }) => isDynamic);
  const inOrder = fitWords(pattern, given.words);
  const options = fitOptions(pattern, nameOf(program), given.options);
  if (inOrder === "yes" && options === "yes") return "yes";
  // A word from nowhere can be any option and any number of words.
  return isFixed || (inOrder === "no" && !given.words.some(({ isDynamic }) => isDynamic)) ? "no" : "may";
}

function fitsProgram(pattern: string, program: ArgumentWord): boolean {
  return matchesText(pattern, pattern.includes("/") ? program.text : nameOf(program));
}

interface Given {
  readonly all: readonly ArgumentWord[];
  readonly words: readonly ArgumentWord[];
  readonly options: readonly string[];
}

/** Options in front of a subcommand that take a value are passed over with it: `git -C DIR push` is a push. */
function divide(name: string, rest: readonly ArgumentWord[]): Given {
  const words: ArgumentWord[] = [];
  const options: string[] = [];
  const valued = leadingValued.get(name) ?? [];
  let isOver = false;
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at];
    if (word === undefined) break;
    if (word.text === "--" && !isOver) isOver = true;
    else if (isOver || word.isDynamic || !isOption(word.text)) words.push(word);
    else {
      options.push(word.text);
      if (words.length === 0 && valued.includes(word.text)) at += 1;
    }
  }
  return { all: rest, words, options };
}

function isOption(word: string): boolean {
  return /^-./.test(word);
}

function fitWords({ words, isOpen }: CommandPattern, given: readonly ArgumentWord[]): "yes" | "no" {
  if (given.length < words.length || (!isOpen && given.length > words.length)) return "no";
  const fitting = words.every((pattern, index) => {
    const word = given[index];
    if (word === undefined) return false;
    // What is not known fits only what takes anything.
    return word.isDynamic ? /^\*+$/.test(pattern) : matchesText(pattern, word.text);
  });
  return fitting ? "yes" : "no";
}

function fitOptions(pattern: CommandPattern, name: string, given: readonly string[]): "yes" | "no" {
  const used = new Set<string>();
  for (const option of pattern.options) {
    const found = findOption(name, option, given);
    if (found === undefined) return "no";
    for (const word of found) used.add(word);
  }
  return pattern.isOpen || given.every((word) => used.has(word)) ? "yes" : "no";
}

/** The given words in which an option was found. `-rf` is there when r and f are, in one word or in two. */
function findOption(name: string, option: string, given: readonly string[]): string[] | undefined {
  const same = given.filter((word) => matchesText(option, word) || word.startsWith(`${option}=`));
  if (same.length > 0) return same;
  if (hasLongShortOptions.has(name)) return undefined;
  const wanted = lettersOf(name, option);
  if (wanted === undefined) return undefined;
  const found = given.filter((word) => lettersOf(name, word)?.some((letter) => wanted.includes(letter)));
  const letters = new Set(found.flatMap((word) => lettersOf(name, word) ?? []));
  return wanted.every((letter) => letters.has(letter)) ? found : undefined;
}

/** Undefined for an option that has no letter. */
function lettersOf(name: string, option: string): string[] | undefined {
  if (option.startsWith("--")) {
    const letter = letterOfLong(name, option.slice(2));
    return letter === undefined ? undefined : [letter];
  }
  return /^-[A-Za-z0-9]+$/.test(option)
    ? option
        .slice(1)
        .split("")
        .map((letter) => canonicalLetter(name, letter))
    : undefined;
}

/** `*` is any text, `?` any character. After a failure only the last star goes on: a pattern cannot take for ever. */
export function matchesText(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let index = 0; index < text.length;) {
    const letter = pattern[at];
    if (letter === "*") {
      star = at++;
      resume = index;
    } else if (letter === "?" || letter === text[index]) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      index = ++resume;
    } else return false;
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}
