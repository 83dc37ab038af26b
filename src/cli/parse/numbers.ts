// Whole numbers of a command line.
import { invalidArgument } from "./invalid-argument.ts";

function parseWhole(text: string, least: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw invalidArgument(`"${text}" is no whole number of at least ${least}`);
}

/** @throws HoldfastError INVALID_ARGUMENT */
export function parseCount(text: string): number {
  return parseWhole(text, 0);
}

/** A side of a terminal: any number, which the daemon clamps. @throws HoldfastError INVALID_ARGUMENT */
export function parseSide(text: string): number {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  throw invalidArgument(`"${text}" is no number`);
}

/** @throws HoldfastError INVALID_ARGUMENT */
export function parsePositive(text: string): number {
  return parseWhole(text, 1);
}
