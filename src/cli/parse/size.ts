// Sizes as people type them: 512, 64k, 16MiB, 2G. Units are binary: that is what memory and disks are asked in.
import { invalidArgument } from "./invalid-argument.ts";

const powers = "kmgt";

/** In bytes. @throws HoldfastError INVALID_ARGUMENT */
export function parseSize(text: string): number {
  const [, amount, letter = ""] = /^(\d+(?:\.\d+)?)\s*(?:([kmgt])(?:i?b)?|b)?$/i.exec(text) ?? [];
  const bytes = Math.round(Number(amount) * 1024 ** (powers.indexOf(letter.toLowerCase() || " ") + 1));
  if (amount === undefined || !Number.isSafeInteger(bytes) || bytes <= 0) {
    throw invalidArgument(`"${text}" is no size`, "Write it like 65536, 64k, 16MiB or 2G.");
  }
  return bytes;
}
