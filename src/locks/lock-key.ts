// Which lock: a scope and an identity. The identity may be a secret, so only its hash goes any further than this file.
import { createHash } from "node:crypto";
import { HoldfastError } from "../protocol/errors.ts";
import { identityProblem, scopePattern, scopeRule } from "../protocol/lock-limits.ts";

export interface LockKey {
  readonly scope: string;
  /** SHA-256, 64 hexadecimal digits. */
  readonly identityHash: string;
}

/** Without the value: what stands in the place of a scope may be a token by mistake. @throws HoldfastError INVALID_ARGUMENT */
export function lockKey(scope: string, identity: string): LockKey {
  if (!scopePattern.test(scope)) {
    throw new HoldfastError("INVALID_ARGUMENT", `the scope is no plain name: ${scopeRule}`);
  }
  const problem = identityProblem(identity);
  if (problem !== undefined) {
    throw new HoldfastError("INVALID_ARGUMENT", `the identity cannot be used: ${problem}`);
  }
  return { scope, identityHash: hashIdentity(scope, identity) };
}

/** With the scope in it, so that the same token in two scopes cannot be seen to be the same. A scope has no zero byte. */
function hashIdentity(scope: string, identity: string): string {
  return createHash("sha256").update(`holdfast lock 1\0${scope}\0`).update(identity).digest("hex");
}

/** The scope is in it for people; the hash alone makes it unique, also where the case of letters does not count. */
export function nameOf({ scope, identityHash }: LockKey): string {
  return `${scope}-${identityHash}`;
}

/** Undefined for what is no lock. */
export function keyOfName(name: string): LockKey | undefined {
  const [, scope, identityHash] = /^(.+)-([0-9a-f]{64})$/.exec(name) ?? [];
  if (scope === undefined || identityHash === undefined || !scopePattern.test(scope)) return undefined;
  return { scope, identityHash };
}
