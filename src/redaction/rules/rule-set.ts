// All rules together, with the gate before them. Made at the first use: most programs that load this module never redact.
import { Gate } from "../scan/gate.ts";
import { literalPlaces } from "../scan/gate-states.ts";
import type { Rule } from "../scan/rule.ts";
import type { RuleSet } from "../scan/scanner.ts";
import { environmentRule } from "./environment-value.ts";
import { headerFormats } from "./header-formats.ts";
import { privateKeyRule } from "./private-key.ts";
import { FormatRule } from "./secret-format.ts";
import { tokenFormats } from "./token-formats.ts";
import { urlPasswordRule } from "./url-password.ts";

let made: RuleSet | undefined;

export function ruleSet(): RuleSet {
  made ??= makeRuleSet([
    privateKeyRule,
    ...[...headerFormats, ...tokenFormats].map((format) => new FormatRule(format)),
    urlPasswordRule,
    environmentRule,
  ]);
  return made;
}

function makeRuleSet(rules: readonly Rule[]): RuleSet {
  const entries = rules.flatMap(({ beginnings, ignoresCase }, rule) => {
    return beginnings.map((literal) => ({ rule, places: literalPlaces(literal, ignoresCase) }));
  });
  return { rules, gate: new Gate(entries) };
}
