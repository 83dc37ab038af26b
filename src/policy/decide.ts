// What a profile says about a command: the strictest word about any part of it.
import { homedir } from "node:os";
import type { Decision, PolicyReason } from "../protocol/policy.ts";
import type { CompiledProfile, CompiledRule } from "./rules/compile-profile.ts";
import { fits } from "./rules/pattern.ts";
import { changesUnknownTree, touchedBy, touchedByFile, type Place } from "./rules/protected-paths.ts";
import { shownWords, type Seen, type SeenCommand } from "./shell/read-command.ts";

export interface Verdict {
  readonly decision: Decision;
  /** The strictest first; a plain allow by default has none. */
  readonly reasons: readonly PolicyReason[];
}

const strictness: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 };
const shownCharacters = 300;
const mostReasons = 20;

export function decide(profile: CompiledProfile, seen: Seen, cwd: string): Verdict {
  const place = { cwd, userHome: homedir() };
  const all = [
    ...seen.commands.flatMap((command) => ofCommand(profile, command, place)),
    ...seen.files.flatMap((file) =>
      profile.protect
        .filter((path) => touchedByFile(file, path, place))
        .map((path) => protectedReason(path, `${file.access === "read" ? "<" : ">"} ${file.path.text}`)),
    ),
    ...seen.opaque.map(({ text, reason }) => opaqueReason(profile, text, reason)),
  ];
  const reasons = distinct(all).toSorted((a, b) => strictness[b.decision] - strictness[a.decision]);
  return { decision: reasons[0]?.decision ?? "allow", reasons: reasons.slice(0, mostReasons) };
}

function ofCommand(profile: CompiledProfile, command: SeenCommand, place: Place): PolicyReason[] {
  const { argv, isPassing, isPrivileged } = command;
  const shown = shorten(shownWords(argv));
  const reasons: PolicyReason[] = [];
  if (isPrivileged) {
    const text = "it runs as another user";
    reasons.push({ kind: "sudo", decision: profile.sudo, rule: "sudo", command: shown, text });
  }
  const ruled = ofRules(profile, command, shown);
  reasons.push(...ruled);
  const isDecided = ruled.some(({ kind }) => kind === "rule");
  if (!isDecided && !isPassing && !isPrivileged && profile.default !== "allow") {
    const text = "no rule fits it";
    reasons.push({ kind: "default", decision: profile.default, rule: "default", command: shown, text });
  }
  for (const path of profile.protect)
    if (touchedBy(command, path, place) !== undefined) reasons.push(protectedReason(path, shown));
  // The home is always protected; only paths that somebody named make an unknown one worth a question.
  if (profile.protect.length > 1 && changesUnknownTree(command))
    reasons.push(opaqueReason(profile, shown, "the path is only known at run time"));
  return reasons;
}

/** A deny that fits counts wherever it stands; else the first rule that fits. */
function ofRules(profile: CompiledProfile, { argv }: SeenCommand, shown: string): PolicyReason[] {
  let first: CompiledRule | undefined;
  const uncertain: PolicyReason[] = [];
  for (const rule of profile.rules) {
    const fit = fits(rule.pattern, argv);
    if (fit === "yes") {
      if (rule.decision === "deny") return [ruleReason(rule, shown)];
      first ??= rule;
    } else if (fit === "may" && rule.decision !== "allow" && first?.decision !== "allow") {
      uncertain.push(opaqueReason(profile, shown, `${rule.name} may fit, which only run time tells`));
    }
  }
  return first === undefined ? uncertain : [ruleReason(first, shown), ...uncertain];
}

function ruleReason({ name, decision, shown: pattern, reason }: CompiledRule, command: string): PolicyReason {
  return { kind: "rule", decision, rule: name, command, text: reason ?? `it fits: ${pattern}` };
}

function opaqueReason(profile: CompiledProfile, text: string, reason: string): PolicyReason {
  return { kind: "opaque", decision: profile.opaque, rule: "opaque", command: shorten(text), text: reason };
}

function protectedReason(path: CompiledProfile["protect"][number], command: string): PolicyReason {
  const text = `${path.shown} is protected`;
  const rule = `protect ${path.shown}`;
  return { kind: "protected", decision: path.decision, rule, command: shorten(command), text };
}

function distinct(reasons: readonly PolicyReason[]): PolicyReason[] {
  return [...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values()];
}

function shorten(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}
