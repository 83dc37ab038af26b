// Asks the user's shell, as a person at a terminal has it, for its functions and aliases.
import { randomBytes } from "node:crypto";
import { quoteWord } from "../start/resolve-command.ts";
import type { Environment, RunToEnd } from "../start/login-environment.ts";
import { noDefinitions, type Definitions } from "./definitions.ts";
import type { ShellKind } from "./prelude.ts";

// Three fields for each: what it is, its name, its text; each ended by a zero byte. Nothing but builtins.
const scripts: Readonly<Record<ShellKind, string>> = {
  bash: String.raw`
for f in $(compgen -A function); do printf 'function\0%s\0' "$f"; declare -f -- "$f"; printf '\0'; done
for a in "\${!BASH_ALIASES[@]}"; do printf 'alias\0%s\0%s\0' "$a" "\${BASH_ALIASES[$a]}"; done`,
  zsh: String.raw`
for f in \${(k)functions}; do printf 'function\0%s\0' "$f"; functions -- "$f"; printf '\0'; done
for a in \${(k)aliases}; do printf 'alias\0%s\0%s\0' "$a" "\${aliases[$a]}"; done
for a in \${(k)galiases}; do printf 'global\0%s\0%s\0' "$a" "\${galiases[$a]}"; done`,
  // A POSIX shell shows its aliases, one in a line, and no functions.
  sh: String.raw`printf 'listed\0\0'; alias; printf '\0'`,
};

export interface CaptureRequest {
  readonly kind: ShellKind;
  readonly program: string;
  readonly run: RunToEnd;
  readonly env: Environment;
  readonly timeoutMs: number;
}

/** A shell that fails or hangs has none. */
export async function captureDefinitions(request: CaptureRequest): Promise<Definitions> {
  const { kind, program, run, env, timeoutMs } = request;
  const marker = randomBytes(16).toString("hex");
  const mark = String.raw`printf '%s\0' ${marker};`;
  const script = `${mark}${scripts[kind].replaceAll("\\${", "${")}\n${mark}`;
  try {
    // Interactive: most start-up files define these for nobody else.
    const output = await run({ argv: [program, "-l", "-i", "-c", script], env, timeoutMs });
    return parseDefinitions(output, kind, marker);
  } catch {
    return noDefinitions;
  }
}

const ownAliasLine = /^(?:alias )?([^=\s']+)=('.*'|[^'\s]*)$/;

export function parseDefinitions(output: Buffer, kind: ShellKind, marker: string): Definitions {
  const fields = output.toString("utf8").split("\0");
  const first = fields.findIndex((field) => field.endsWith(marker));
  const last = fields.lastIndexOf(marker);
  const functions = new Map<string, string>();
  const aliases = new Map<string, string>();
  if (first < 0) return noDefinitions;
  for (let at = first + 1; at + 2 <= last; at += 3) {
    const [what = "", name = "", text = ""] = fields.slice(at, at + 3);
    if (what === "function" && !isStub(text)) functions.set(name, text);
    if (what === "alias" || what === "global")
      aliases.set(name, aliasText(kind, name, text, what === "global"));
    if (what === "listed")
      for (const line of text.split("\n")) {
        const [, own, value] = ownAliasLine.exec(line) ?? [];
        if (own !== undefined && value !== undefined) aliases.set(own, `alias ${own}=${value}`);
      }
  }
  return { functions, aliases };
}

/** zsh finds the body of such a one when it is first called, by a path that only its own session has. */
function isStub(text: string): boolean {
  return /^\s*(?:# undefined|builtin autoload -X)/m.test(text);
}

function aliasText(kind: ShellKind, name: string, value: string, isGlobal: boolean): string {
  // bash reads aliases in a script only when told to.
  const prefix = kind === "bash" ? "shopt -s expand_aliases; " : "";
  return `${prefix}alias ${isGlobal ? "-g " : ""}-- ${quoteWord(name)}=${quoteWord(value)}`;
}
