// One unit per home: two homes of one user, or of two users, live side by side.
import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { Account } from "./accounts.ts";
import type { Scope } from "./unit-plan.ts";

export interface NamedHome {
  readonly home: string;
  readonly account: Pick<Account, "name" | "defaultHome">;
  readonly scope: Scope;
}

// 32 bits tell the homes of one machine apart.
const hashDigits = 8;
const mostReadableCharacters = 32;

/**
 * holdfast for the default home. Another home adds its last word, for people, and a hash of its path. All system units share one
 * folder, so there the default home of anybody but root adds the user.
 */
export function unitName({ home, account, scope }: NamedHome): string {
  if (home !== account.defaultHome) {
    const hash = createHash("sha256").update(home).digest("hex").slice(0, hashDigits);
    return ["holdfast", readable(basename(home)), hash].filter(Boolean).join("-");
  }
  return scope === "user" || account.name === "root" ? "holdfast" : `holdfast-${readable(account.name)}`;
}

/** What systemd and launchd take in a name without an escape. */
function readable(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9_]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, mostReadableCharacters);
}
