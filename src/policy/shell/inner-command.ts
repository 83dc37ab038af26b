// Behind a program that runs another: the words of that other one, or the text that a shell is given.
import { unknownWord, type ArgumentWord } from "./words.ts";
import { posixShells, wrappers, type Wrapper } from "./wrappers.ts";

export type Inner =
  | { readonly kind: "argv"; readonly argv: readonly ArgumentWord[] }
  | { readonly kind: "text"; readonly text: string; readonly isDynamic: boolean }
  /** Its commands come from its input, which nobody has seen. */
  | { readonly kind: "input" }
  | { readonly kind: "other"; readonly reason: string };

/** What a wrapper runs; empty when it runs nothing. */
export function innerOfWrapper(wrapper: Wrapper, argv: readonly ArgumentWord[]): Inner[] {
  if (wrapper.switchesUser === true) return innerOfUserSwitch(wrapper, argv);
  const { at, text, isOnlyLooking, isShell: hasShell } = readOptions(wrapper, argv);
  if (isOnlyLooking) return [];
  if (text !== undefined) return [text];
  const rest = argv.slice(at + (wrapper.skip ?? 0));
  // `flock FILE -c TEXT`: the option stands behind the word that is skipped.
  const late = rest[0]?.text === `-${wrapper.shellOption}` ? rest[1] : undefined;
  if (late !== undefined) return [textOf([late])];
  if (rest.length === 0) return hasShell ? [{ kind: "input" }] : [];
  if (wrapper.joins === true) return [textOf(rest)];
  return [{ kind: "argv", argv: wrapper.adds === true ? [...rest, unknownWord] : rest }];
}

export function textOf(words: readonly ArgumentWord[]): Inner {
  const text = words.map((word) => word.text).join(" ");
  return { kind: "text", text, isDynamic: words.some((word) => word.isDynamic || word.isPattern) };
}

function innerOfUserSwitch(wrapper: Wrapper, argv: readonly ArgumentWord[]): Inner[] {
  for (let at = 1; at < argv.length; at += 1) {
    const text = textOfOption(argv, at, "c", "--command");
    if (text !== undefined) return [text];
  }
  const hasUserOption = argv.some(({ text }) => /^(?:-u|--user(?:=.*)?)$/.test(text));
  const { at } = readOptions(wrapper, argv);
  if (!hasUserOption || at >= argv.length) return [{ kind: "input" }];
  return [{ kind: "argv", argv: argv.slice(at) }];
}

interface ReadOptions {
  /** The first word that is no option. */
  readonly at: number;
  readonly text?: Inner;
  readonly isOnlyLooking: boolean;
  readonly isShell: boolean;
}

function readOptions(wrapper: Wrapper, argv: readonly ArgumentWord[]): ReadOptions {
  const { hasAssignments, onlyLooks = [], shellOptions = [], shellOption } = wrapper;
  const found = { isOnlyLooking: false, isShell: false };
  let at = 1;
  for (; at < argv.length; at += 1) {
    const word = argv[at]?.text ?? "";
    if (word === "--") return { at: at + 1, ...found };
    if (hasAssignments === true && /^[A-Za-z_][A-Za-z0-9_]*=/.test(word)) continue;
    if (!word.startsWith("-") || word === "-") break;
    found.isShell ||= shellOptions.includes(word);
    found.isOnlyLooking ||= onlyLooks.includes(word);
    if (shellOption !== undefined) {
      const text = textOfOption(argv, at, shellOption, shellOption === "S" ? "--split-string" : "--command");
      if (text !== undefined) return { at, text, ...found };
    }
    if (takesNext(wrapper, word)) at += 1;
  }
  return { at, ...found };
}

/** `-c TEXT`, `-xc TEXT`, `-cTEXT`, `--command TEXT`, `--command=TEXT`. */
function textOfOption(
  argv: readonly ArgumentWord[],
  at: number,
  letter: string,
  long: string,
): Inner | undefined {
  const word = argv[at];
  if (word === undefined || !word.text.startsWith("-")) return undefined;
  const { text } = word;
  for (const start of [`${long}=`, text.startsWith("--") ? "" : `-${letter}`]) {
    if (start !== "" && text.length > start.length && text.startsWith(start))
      return textOf([{ ...word, text: text.slice(start.length) }]);
  }
  const isIt = text === long || (/^-[A-Za-z]+$/.test(text) && text.endsWith(letter));
  const next = argv[at + 1];
  return isIt && next !== undefined ? textOf([next]) : undefined;
}

function takesNext({ valued = "", longValued = [] }: Wrapper, word: string): boolean {
  if (word.startsWith("--")) return longValued.includes(word.slice(2));
  const letters = word.slice(1);
  const first = letters.split("").findIndex((letter) => valued.includes(letter));
  return first >= 0 && first === letters.length - 1; // else the value stands in the word itself
}

/** What a shell with these words runs. `input`: what it is given to read, where the command line says it. */
export function innerOfShell(argv: readonly ArgumentWord[], input: Inner | undefined): Inner[] {
  let isText = false;
  let isInput = false;
  let at = 1;
  for (; at < argv.length; at += 1) {
    const word = argv[at];
    if (word === undefined || word.isDynamic || !/^[-+]./.test(word.text)) break;
    const { text } = word;
    if (text === "--version" || text === "--help") return [];
    if (text === "--") {
      at += 1;
      break;
    }
    if (text === "--rcfile" || text === "--init-file" || /^[-+][A-Za-z]*[oO]$/.test(text)) at += 1;
    isText ||= /^-[A-Za-z]*c/.test(text);
    isInput ||= /^-[A-Za-z]*s/.test(text);
  }
  const first = argv[at];
  if (first !== undefined && isText) return [textOf([first])];
  if (first === undefined || isInput) return [input ?? { kind: "input" }];
  if (first.isDynamic || isDescriptor(first.text))
    return [{ kind: "other", reason: "the script is only known at run time" }];
  return []; // a script is a program like any other
}

export function isDescriptor(path: string): boolean {
  return path === "-" || path === "/dev/stdin" || /^\/(?:dev|proc\/self)\/fd\//.test(path);
}

const findActions = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

export function innerOfFind(argv: readonly ArgumentWord[]): Inner[] {
  const found: Inner[] = [];
  for (let at = 1; at < argv.length; at += 1) {
    if (!findActions.has(argv[at]?.text ?? "")) continue;
    const end = argv.findIndex(
      ({ text }, index) => index > at && (text === ";" || (text === "+" && argv[index - 1]?.text === "{}")),
    );
    const words = argv.slice(at + 1, end < 0 ? argv.length : end);
    found.push({
      kind: "argv",
      argv: words.map((word) => (word.text.includes("{}") ? { ...word, isDynamic: true, prefix: "" } : word)),
    });
    at += words.length;
  }
  return found;
}

export function nameOf(word: ArgumentWord): string {
  return word.text.slice(word.text.lastIndexOf("/") + 1);
}

export function isShell(name: string): boolean {
  return posixShells.has(name);
}

export function wrapperOf(name: string): Wrapper | undefined {
  return wrappers.get(name);
}
