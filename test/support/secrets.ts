// Secrets for password prompts, and what the prompts say when they have got one.
import { randomBytes } from "node:crypto";
import { expect, onTestFinished } from "vitest";
import { filesHolding } from "./files-holding.ts";
import { testDirectory } from "./test-home.ts";

/** Another one each time. When the test finishes it must be in no file of the test's directory, homes included. */
export function newSecret(): string {
  const secret = `hunter-${randomBytes(12).toString("hex")}-ä`;
  onTestFinished(() => expect(filesHolding(testDirectory(), secret.slice(0, -2))).toBe(""));
  return secret;
}

/** Asks with `read -s`, tells the length, then waits for another line. */
export const bashPrompt = [
  "/bin/bash",
  "-c",
  "read -r -s -p Password: line; echo; echo length ${#line}; read other",
];

/** What test/fixtures/ask_password.c says when it was given the secret. */
export function heard(secret: string): string {
  const bytes = Buffer.from(secret);
  const hash = bytes.reduce((sum, byte) => Math.imul(sum ^ byte, 16_777_619) >>> 0, 2_166_136_261);
  return `length ${bytes.length} hash ${hash.toString(16).padStart(8, "0")}`;
}
