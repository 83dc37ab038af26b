// Secrets that only their bearer has: random, and kept here as digests. They are long enough that a digest without salt says nothing.
import { createHash, randomBytes } from "node:crypto";

const secretBytes = 32;

/** 256 random bits, in letters that need no quoting anywhere. */
export function newSecret(): string {
  return randomBytes(secretBytes).toString("base64url");
}

export function digestOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

// So that a search for leaked secrets knows one when it sees it.
const tokenPrefix = "hft_";
const tokenShape = /^hft_[A-Za-z0-9_-]{43}$/;

export function newTokenSecret(): string {
  return tokenPrefix + newSecret();
}

/** Anything shorter, or of another's making, is no token, whatever the store says. */
export function isTokenShaped(text: string): boolean {
  return tokenShape.test(text);
}
