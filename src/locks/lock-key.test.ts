import { expect, test } from "vitest";
import { keyOfName, lockKey, nameOf } from "./lock-key.ts";

test("the hash depends on scope and identity, and a border between them cannot be moved", () => {
  const hash = (scope: string, identity: string) => lockKey(scope, identity).identityHash;
  expect(hash("telegram", "token")).toMatch(/^[0-9a-f]{64}$/);
  expect(hash("telegram", "token")).toBe(hash("telegram", "token"));
  const others = [hash("telegram", "token "), hash("discord", "token"), hash("telegra", "mtoken")];
  expect(new Set([hash("telegram", "token"), ...others]).size).toBe(4);
});

test("any text is an identity: long, with control characters, with a zero byte, with a path in it", () => {
  for (const identity of ["x".repeat(1_048_576), "\u001b[2J\n\0", "../../etc/passwd", "🔑", "-", " "]) {
    const key = lockKey("s", identity);
    expect(nameOf(key)).toBe(`s-${key.identityHash}`);
  }
});

test("what is refused is not repeated", () => {
  for (const scope of ["", ".", "..", "a/b", "a b", "ä", "-x", "x".repeat(64), "ghp_secret!\n"]) {
    expect(() => lockKey(scope, "i"), scope).toThrowError(/^the scope is no plain name: 1-63 letters/);
  }
  for (const identity of ["", "x".repeat(1_048_577), "\ud800secret"]) {
    expect(() => lockKey("s", identity)).toThrowError(
      /^the identity cannot be used: it is (?:empty|not|longer)/,
    );
  }
});

test("a name is read back, whatever dashes and dots the scope has; anything else is no lock", () => {
  for (const scope of ["a", "a-b", "a.b-", "0"]) {
    const key = lockKey(scope, "i");
    expect(keyOfName(nameOf(key))).toEqual(key);
  }
  const { identityHash } = lockKey("a", "i");
  for (const name of [
    ".pending",
    identityHash,
    `-${identityHash}`,
    `a-${identityHash} (copy)`,
    `.a-${identityHash}`,
  ]) {
    expect(keyOfName(name), name).toBeUndefined();
  }
});
