// Every command that a text would run, as far as that can be known without running it.
import { forEachChild, parse, type Command, type ParsedScript, type Redirect, type SyntaxNode } from "unbash";
import {
  innerOfFind,
  innerOfShell,
  innerOfWrapper,
  isDescriptor,
  isShell,
  nameOf,
  textOf,
  wrapperOf,
  type Inner,
} from "./inner-command.ts";
import { fixedWord, readWord, type ArgumentWord } from "./words.ts";
import { harmlessBuiltins, otherShells } from "./wrappers.ts";

export interface SeenCommand {
  readonly argv: readonly ArgumentWord[];
  /** It runs what was found behind it, or is of the shell itself: only a rule is about it, never the default. */
  readonly isPassing: boolean;
  /** Another user's rights. */
  readonly isPrivileged: boolean;
}

export interface SeenFile {
  readonly path: ArgumentWord;
  readonly access: "read" | "write";
}

export interface Opaque {
  readonly text: string;
  readonly reason: string;
}

export interface Seen {
  readonly commands: readonly SeenCommand[];
  /** Redirections. */
  readonly files: readonly SeenFile[];
  readonly opaque: readonly Opaque[];
}

export const mostCharacters = 128 * 1024;
const mostDepth = 12;
const mostCommands = 10_000;
// What is given from one shell to the next is counted again: a text cannot grow without end by being passed on.
const mostCharactersInAll = 4 * mostCharacters;

export function readCommand(command: string | readonly string[]): Seen {
  const reader = new Reader();
  if (typeof command === "string") reader.readText(command, 0);
  else reader.readWords(command.map(fixedWord), 0);
  return reader.seen;
}

export function opaqueAs(text: string, reason: string): Seen {
  return { commands: [], files: [], opaque: [{ text, reason }] };
}

class Reader {
  readonly seen = { commands: [] as SeenCommand[], files: [] as SeenFile[], opaque: [] as Opaque[] };
  readonly #functions = new Set<string>();
  #characters = 0;

  readText(text: string, depth: number): void {
    this.#characters += text.length;
    if (text.length > mostCharacters || this.#characters > mostCharactersInAll)
      return this.#hide(text, "it is too long to be read");
    if (depth > mostDepth) return this.#hide(text, "it is nested too deeply to be read");
    let script: ParsedScript;
    try {
      script = parse(text);
    } catch {
      return this.#hide(text, "it cannot be read as a shell would");
    }
    this.#walk(script, depth);
  }

  /** Not by recursion: nesting in the text must not become nesting of calls. */
  #walk(script: ParsedScript, depth: number): void {
    const left: SyntaxNode[] = [script];
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      if ("errors" in node && node.errors !== undefined && node.errors.length > 0)
        this.#hide(node.errors[0]?.message ?? "", "it cannot be read as a shell would");
      if (node.type === "Function") this.#functions.add(node.name.value);
      if (node.type === "Redirect") this.#redirect(node);
      if (node.type === "Command") this.#command(node, depth);
      if (this.seen.commands.length > mostCommands) return this.#hide("", "it has too many commands");
      const children: SyntaxNode[] = [];
      forEachChild(node, (child) => children.push(child));
      left.push(...children.toReversed());
    }
  }

  #redirect({ operator, target }: Redirect): void {
    if (target === undefined) return;
    const path = readWord(target);
    if ((operator === ">&" || operator === "<&") && /^(?:\d+-?|-)$/.test(path.text)) return;
    this.seen.files.push({ path, access: operator === "<" ? "read" : "write" });
  }

  #command(node: Command, depth: number): void {
    if (node.name === undefined) return;
    const words = node.args.map((word) => (word.type === "Word" ? readWord(word) : assignmentWord(word)));
    this.readWords([readWord(node.name), ...words], depth, inputOf(node));
  }

  readWords(argv: readonly ArgumentWord[], depth: number, input?: Inner): void {
    const [program] = argv;
    if (program === undefined) return;
    if (depth > mostDepth) return this.#hide(program.text, "it is nested too deeply to be read");
    if (program.isDynamic || program.isPattern)
      return this.#hide(shownWords(argv), "the program is only known at run time");
    const name = nameOf(program);
    const wrapper = wrapperOf(name);
    const inner = innersOf(name, argv, input);
    const isPassing = inner.length > 0 || harmlessBuiltins.has(name) || this.#functions.has(name);
    this.seen.commands.push({ argv, isPassing, isPrivileged: wrapper?.isPrivileged === true });
    for (const found of inner) this.#follow(found, argv, depth + 1);
  }

  #follow(inner: Inner, argv: readonly ArgumentWord[], depth: number): void {
    switch (inner.kind) {
      case "argv":
        this.readWords(inner.argv, depth);
        break;
      case "text":
        if (inner.isDynamic) this.#hide(shownWords(argv), "what it runs is put together at run time");
        // Also then: what stands in it as it is can still fit a rule.
        this.readText(inner.text, depth);
        break;
      case "input":
        this.#hide(shownWords(argv), "it reads its commands from its input");
        break;
      case "other":
        this.#hide(shownWords(argv), inner.reason);
        break;
    }
  }

  #hide(text: string, reason: string): void {
    if (this.seen.opaque.length < 100) this.seen.opaque.push({ text: text.slice(0, 1_000), reason });
  }
}

function innersOf(name: string, argv: readonly ArgumentWord[], input: Inner | undefined): Inner[] {
  if (isShell(name)) return innerOfShell(argv, input);
  if (otherShells.has(name)) return [{ kind: "other", reason: `${name} has a language of its own` }];
  if (name === "find" || name === "gfind") return innerOfFind(argv);
  const rest = argv.slice(1);
  if (name === "eval") return rest.length === 0 ? [] : [textOf(rest)];
  if (name === "trap") return trapOf(rest);
  if (name === "alias") return rest.flatMap(aliasOf);
  if (name === "source" || name === ".") return sourceOf(rest[0]);
  const wrapper = wrapperOf(name);
  return wrapper === undefined ? [] : innerOfWrapper(wrapper, argv);
}

function trapOf([action]: readonly ArgumentWord[]): Inner[] {
  return action === undefined || action.text.startsWith("-") ? [] : [textOf([action])];
}

function aliasOf(word: ArgumentWord): Inner[] {
  const at = word.text.indexOf("=");
  return at < 0 ? [] : [textOf([{ ...word, text: word.text.slice(at + 1) }])];
}

function sourceOf(file: ArgumentWord | undefined): Inner[] {
  if (file === undefined || !(file.isDynamic || file.isPattern || isDescriptor(file.text))) return [];
  return [{ kind: "other", reason: "the script is only known at run time" }];
}

/** What a shell would read, where it stands in the text itself. The last redirection counts. */
function inputOf({ redirects }: Command): Inner | undefined {
  for (const redirect of redirects.toReversed()) {
    if (redirect.type === "HereString" && redirect.target !== undefined)
      return textOf([readWord(redirect.target)]);
    if (redirect.type === "HereDoc") {
      const { text, parts } = redirect.body;
      const isDynamic =
        redirect.delimiter?.quoted !== true && (parts?.some(({ type }) => type !== "Literal") ?? false);
      return { kind: "text", text, isDynamic };
    }
  }
  return undefined;
}

function assignmentWord(assignment: Extract<Command["args"][number], { type: "Assignment" }>): ArgumentWord {
  const { value, name } = assignment;
  if (value.type !== "Word") return fixedWord(assignment.text);
  const word = readWord(value);
  return { ...word, text: `${name}=${word.text}`, prefix: `${name}=${word.prefix}` };
}

export function shownWords(argv: readonly ArgumentWord[]): string {
  return argv
    .map(({ text }) => (/^[^\s'"\\]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`))
    .join(" ");
}
