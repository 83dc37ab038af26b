// Ids of processes and requests. Random, so that two homes never give the same; short enough to be typed.
import { z } from "zod";
import { processIdPrefix } from "./id-prefix.ts";

// No vowels and no look-alikes: an id is read aloud and never spells a word.
const alphabet = "23456789bcdfghjkmnpqrstvwxz";
const randomLength = 12;

// Taken from the system in larger parts: asking for each id costs ten times as much as making it.
const randomBytes = new Uint8Array(1_024);
let usedBytes = randomBytes.length;

function randomByte(): number {
  if (usedBytes === randomBytes.length) {
    crypto.getRandomValues(randomBytes);
    usedBytes = 0;
  }
  return randomBytes[usedBytes++] ?? 0; // within its length
}

function randomText(length: number): string {
  let text = "";
  while (text.length < length) {
    const byte = randomByte();
    // 27 × 9 = 243: the bytes above would favour the first letters.
    if (byte < 243) text += alphabet[byte % alphabet.length];
  }
  return text;
}

export function newProcessId(): string {
  return processIdPrefix + randomText(randomLength);
}

export function newRequestId(): string {
  return `r_${randomText(randomLength)}`;
}

/** What a caller may name a process by: its id, a prefix of it with or without `p_`, or its name. */
export const processReferenceSchema = z.string().min(1).max(128);

export function newWatchId(): string {
  return `w_${randomText(randomLength)}`;
}

export function newDelegationId(): string {
  return `d_${randomText(randomLength)}`;
}

export function newApprovalId(): string {
  return `a_${randomText(randomLength)}`;
}

export function newGrantId(): string {
  return `g_${randomText(randomLength)}`;
}

/** Of a session or token: not its secret. */
export function newCredentialId(): string {
  return `c_${randomText(randomLength)}`;
}

export function newViewerId(): string {
  return `v_${randomText(randomLength)}`;
}

export const watchIdSchema = z.string().regex(/^w_[a-z0-9]{12}$/, "an id like w_ and 12 letters and digits");
export const noticeIdSchema = z.string().regex(/^n_[a-z0-9]{20}$/, "an id like n_ and 20 letters and digits");
export const delegationIdSchema = z
  .string()
  .regex(/^d_[a-z0-9]{12}$/, "an id like d_ and 12 letters and digits");
export const approvalIdSchema = z
  .string()
  .regex(/^a_[a-z0-9]{12}$/, "an id like a_ and 12 letters and digits");
export const grantIdSchema = z.string().regex(/^g_[a-z0-9]{12}$/, "an id like g_ and 12 letters and digits");
