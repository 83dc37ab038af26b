// Which variables of an environment a child gets. Names decide; values are never looked at.
import type { EnvironmentPolicy, Owner } from "../../protocol/process.ts";
import {
  credentialPatterns,
  credentialWords,
  harmlessPatterns,
  terminalNames,
  type NameRule,
} from "./environment-names.ts";

/** What the configuration adds to the lists. */
export interface EnvironmentLists {
  /** Names every child gets. */
  readonly pass: readonly string[];
  /** Patterns no child gets, unless `pass` of the configuration has the very name. */
  readonly deny: readonly string[];
  /** Patterns a terminal gets besides its own list. */
  readonly allow: readonly string[];
}

export interface PolicyChoice {
  readonly policy: EnvironmentPolicy;
  /** Named by the caller for this one child. */
  readonly pass: readonly string[];
  readonly lists: EnvironmentLists;
}

/** Of an agent's work the environment is filtered; a person's own is theirs. */
export function defaultPolicy(owner: Pick<Owner, "session" | "task">): EnvironmentPolicy {
  return owner.session === undefined && owner.task === undefined ? "caller" : "command";
}

/** `*` stands for anything. By hand: a pattern of many stars makes a regular expression slow, and anybody may name a variable. */
export function matchesPattern(name: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.toUpperCase().split("*");
  const text = name.toUpperCase();
  if (!text.startsWith(first)) return false;
  const last = rest.pop();
  if (last === undefined) return text.length === first.length;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

function fits(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matchesPattern(name, pattern));
}

function fitsRule(name: string, rules: readonly NameRule[]): boolean {
  return rules.some(({ patterns }) => fits(name, patterns));
}

// The same names come with every start; a caller that makes up new or endless ones must not fill the memory.
const mostRemembered = 4_096;
const longestRemembered = 128;
const remembered = new Map<string, boolean>();

export function isCredentialName(name: string): boolean {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const words = `_${name.toUpperCase()}_`;
  const hasWord = credentialWords.some((word) => words.includes(`_${word}_`));
  const isCredential = (hasWord || fitsRule(name, credentialPatterns)) && !fitsRule(name, harmlessPatterns);
  if (remembered.size >= mostRemembered) remembered.clear();
  if (name.length <= longestRemembered) remembered.set(name, isCredential);
  return isCredential;
}

/** May the child have the variable of this name? The first rule that knows it decides. */
export function mayPass(name: string, { policy, pass, lists }: PolicyChoice): boolean {
  if (policy === "caller" || lists.pass.includes(name)) return true;
  if (fits(name, lists.deny)) return false;
  if (pass.includes(name)) return true;
  return policy === "terminal"
    ? terminalNames.includes(name) || fits(name, lists.allow)
    : !isCredentialName(name);
}
