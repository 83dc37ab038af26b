// The policy of a profile, ready to be held against commands.
import { createHash } from "node:crypto";
import { homedir } from "node:os";
import type { Config } from "../../config/index.ts";
import type { Decision } from "../../protocol/policy.ts";
import { compilePattern, shownPattern, type CommandPattern } from "./pattern.ts";
import type { ProtectedPath } from "./protected-paths.ts";

type ProfilePolicy = Config["policy"]["profiles"][string];

export interface CompiledRule {
  readonly name: string;
  readonly decision: Decision;
  readonly pattern: CommandPattern;
  readonly shown: string;
  readonly reason: string | undefined;
}

export interface CompiledProfile {
  /** Whose policy it is. */
  readonly from: string;
  readonly default: Decision;
  readonly opaque: Decision;
  readonly sudo: Decision;
  readonly rules: readonly CompiledRule[];
  readonly protect: readonly ProtectedPath[];
  /** Of everything in it that can ask: a grant is for the rule as it was then. */
  readonly digests: ReadonlyMap<string, string>;
}

export const fallbackProfile = "default";

/** By the identity of the configuration: it is another object after a change. */
const compiled = new WeakMap<object, Map<string, CompiledProfile>>();

/** Undefined when nothing is configured. A profile without a policy of its own has that of `default`. */
export function profileOf(
  policy: Pick<Config["policy"], "profiles">,
  profile: string,
  holdfastHome: string,
): CompiledProfile | undefined {
  const from = isSet(policy.profiles[profile]) ? profile : fallbackProfile;
  const found = policy.profiles[from];
  if (found === undefined || !isSet(found)) return undefined;
  let known = compiled.get(policy.profiles);
  if (known === undefined) compiled.set(policy.profiles, (known = new Map<string, CompiledProfile>()));
  let result = known.get(from);
  if (result === undefined) known.set(from, (result = compileProfile(from, found, holdfastHome)));
  return result;
}

function isSet(policy: ProfilePolicy | undefined): boolean {
  if (policy === undefined) return false;
  const { rules, protect, opaque, sudo } = policy;
  const hasClass = [opaque, sudo].some((decision) => decision !== undefined && decision !== "allow");
  return rules.length > 0 || protect.length > 0 || policy.default !== "allow" || hasClass;
}

function compileProfile(from: string, policy: ProfilePolicy, holdfastHome: string): CompiledProfile {
  const rules = policy.rules.map((rule, index): CompiledRule => {
    const pattern = compilePattern(rule.command);
    const name = rule.name ?? `rule ${index + 1}`;
    return { name, decision: rule.decision, pattern, shown: shownPattern(pattern), reason: rule.reason };
  });
  const protect = [
    ...policy.protect.map(({ path, access, decision }) => ({
      path: absolutePath(path),
      shown: path,
      access,
      decision,
    })),
    // Who may change the rules may break them.
    { path: holdfastHome, shown: holdfastHome, access: "write", decision: "ask" } as const,
  ];
  const whole = {
    from,
    default: policy.default,
    opaque: policy.opaque ?? "ask",
    sudo: policy.sudo ?? "ask",
    rules,
    protect,
  };
  return { ...whole, digests: digestsOf(whole) };
}

function digestsOf(profile: Omit<CompiledProfile, "digests">): Map<string, string> {
  const digests = new Map<string, string>();
  for (const { name, decision, shown } of profile.rules)
    digests.set(name, digestOf([profile.from, name, decision, shown]));
  for (const { shown, access, decision } of profile.protect)
    digests.set(`protect ${shown}`, digestOf([profile.from, shown, access, decision]));
  for (const kind of ["default", "opaque", "sudo"] as const)
    digests.set(kind, digestOf([profile.from, kind, profile[kind]]));
  return digests;
}

export function digestOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

function absolutePath(path: string): string {
  const expanded = path === "~" || path.startsWith("~/") ? homedir() + path.slice(1) : path;
  return expanded.length > 1 ? expanded.replace(/\/+$/, "") : expanded;
}
