// Paths that a command names. By their names: a link to a protected place is not followed, a changed directory not remembered.
import { join, normalize } from "node:path";
import { nameOf, wrapperOf } from "../shell/inner-command.ts";
import type { SeenCommand, SeenFile } from "../shell/read-command.ts";
import type { ArgumentWord } from "../shell/words.ts";

export interface ProtectedPath {
  /** Absolute. */
  readonly path: string;
  readonly shown: string;
  readonly access: "write" | "any";
  readonly decision: "ask" | "deny";
}

export interface Place {
  readonly cwd: string;
  readonly userHome: string;
}

// They only look, whatever they are given. Everything else may write.
const readers = new Set(
  "[ cat cd cmp cut diff dirname basename du echo egrep fgrep file grep head hexdump less ls md5sum more nl od pushd printf pwd readlink realpath rg sha1sum sha256sum sort stat strings tac tail test tree uniq wc which xxd".split(
    " ",
  ),
);
// They act on everything below what they name, so a place above a protected one is as good as that one.
const treeChangers = new Set("rm mv chmod chown chgrp shred rsync find rmdir trash srm".split(" "));

/** The protected path that the command is about, if it is about one. */
export function touchedBy(
  command: SeenCommand,
  protectedPath: ProtectedPath,
  place: Place,
): ArgumentWord | undefined {
  const [program, ...words] = command.argv;
  if (program === undefined) return undefined;
  const name = nameOf(program);
  const isReading = readers.has(name) || (name === "find" && !changesFound(words));
  if (isReading && protectedPath.access === "write") return undefined;
  const reach = treeChangers.has(name) && !isReading ? "above" : "inside";
  // A variable that is set for a program names a path, and touches none.
  const named = wrapperOf(name)?.hasAssignments === true ? words.filter(isNoAssignment) : words;
  return named.find((word) => candidates(word).some((path) => isIn(path, protectedPath, place, reach)));
}

export function touchedByFile(
  { path, access }: SeenFile,
  protectedPath: ProtectedPath,
  place: Place,
): boolean {
  if (access === "read" && protectedPath.access === "write") return false;
  return isIn(path.prefix, protectedPath, place, "inside");
}

/** A whole tree whose place nobody knows yet. */
export function changesUnknownTree({ argv }: SeenCommand): boolean {
  const [program, ...words] = argv;
  if (program === undefined || !treeChangers.has(nameOf(program)) || nameOf(program) === "find") return false;
  return words.some(({ isDynamic, prefix }) => isDynamic && prefix === "");
}

function isNoAssignment({ text }: ArgumentWord): boolean {
  return !/^[A-Za-z_][A-Za-z0-9_]*=/.test(text);
}

function changesFound(words: readonly ArgumentWord[]): boolean {
  return words.some(({ text }) => /^-(?:delete|exec|execdir|ok|okdir|fprint|fprintf|fls)$/.test(text));
}

/** A word may hold a path behind `=` (of=/dev/sda), behind an option's letter (-C/etc), behind a host (host:/etc). */
function candidates({ prefix, isDynamic }: ArgumentWord): string[] {
  if (prefix === "" && isDynamic) return [];
  const found = [prefix];
  const behind = /^(?:-[A-Za-z]|[^=/~]*=|@)([/~].*)$/s.exec(prefix)?.[1];
  if (behind !== undefined) found.push(behind);
  return found;
}

function isIn(text: string, { path }: ProtectedPath, place: Place, reach: "inside" | "above"): boolean {
  if (text === "" || text.startsWith("-")) return false;
  const named = absolute(beforePattern(text), place);
  if (isBelow(named.path, path)) return true;
  // `/etc*` and `/*` can mean what they stand before.
  if (named.isCut && path.startsWith(named.path))
    return reach === "above" || !path.slice(named.path.length).includes("/");
  return reach === "above" && isBelow(path, named.path);
}

function beforePattern(text: string): { text: string; isCut: boolean } {
  const at = text.search(/[*?[]/);
  return at < 0 ? { text, isCut: false } : { text: text.slice(0, at), isCut: true };
}

function absolute(
  { text, isCut }: { readonly text: string; readonly isCut: boolean },
  { cwd, userHome }: Place,
): { path: string; isCut: boolean } {
  const expanded = text === "~" || text.startsWith("~/") ? userHome + text.slice(1) : text;
  const path = normalize(expanded.startsWith("/") ? expanded : join(cwd, expanded));
  return { path: path.length > 1 && !isCut ? path.replace(/\/+$/, "") : path, isCut };
}

function isBelow(path: string, above: string): boolean {
  return path === above || path.startsWith(above.endsWith("/") ? above : `${above}/`);
}
