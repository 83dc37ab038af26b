// Ids of processes and requests. Random, so that two homes never give the same; short enough to be typed.
import { z } from "zod";

// No vowels and no look-alikes: an id is read aloud and never spells a word.
const alphabet = "23456789bcdfghjkmnpqrstvwxz";
const randomLength = 12;
export const processIdPrefix = "p_";
/** Fewer random characters than this name no process. */
export const shortestPrefix = 4;

function randomText(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // 27 × 9 = 243: the bytes above would favour the first letters.
      if (byte < 243 && text.length < length) text += alphabet[byte % alphabet.length];
    }
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
