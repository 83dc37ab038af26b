// What a lock may be called and what may be told about it. Without zod: the command line acquires locks with no daemon,
// and zod would cost it tens of milliseconds.

export const scopeRule =
  "1-63 letters, digits, dots, dashes or underscores, beginning with a letter or digit" as const;

/** What kind of thing is locked: a plain name, since it is part of a file name and shown as it is. */
export const scopePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** Only its hash is kept; more than this is a mistake, not a token. */
export const mostIdentityBytes = 1_048_576;

// Enough to say who holds a lock and why, too little to be a store.
export const mostMetaEntries = 32;
export const mostMetaKeyCharacters = 63;
export const mostMetaValueCharacters = 1_024;

/** One request does not stay open for longer. */
export const mostLockWaitMs = 86_400_000;

/** Undefined, or what is wrong with it. Never repeats a value: it may be a secret in the wrong place. */
export function metaProblem(meta: Readonly<Record<string, string>>): string | undefined {
  const entries = Object.entries(meta);
  if (entries.length > mostMetaEntries) return `at most ${mostMetaEntries} entries`;
  if (entries.some(([key]) => key.length === 0 || key.length > mostMetaKeyCharacters)) {
    return `keys of 1-${mostMetaKeyCharacters} characters`;
  }
  if (entries.some(([, value]) => value.length > mostMetaValueCharacters)) {
    return `values of at most ${mostMetaValueCharacters} characters`;
  }
  return undefined;
}

/** Undefined, or what is wrong with it. */
export function identityProblem(identity: string): string | undefined {
  if (identity === "") return "it is empty";
  if (!identity.isWellFormed()) return "it is not well-formed Unicode";
  if (new TextEncoder().encode(identity).length > mostIdentityBytes) {
    return `it is longer than ${mostIdentityBytes} bytes`;
  }
  return undefined;
}
