// Whose looks are meant: of a caller that speaks for a session always its own.
import { HoldfastError } from "../protocol/errors.ts";
import type { Caller } from "../protocol/operations.ts";

/** @throws HoldfastError INVALID_ARGUMENT: nobody's */
export function lookingSession({ session }: Caller, given: string | undefined): string {
  const key = session ?? given;
  if (key !== undefined) return key;
  throw new HoldfastError("INVALID_ARGUMENT", "Nothing says whose looks are meant.", {
    hint: "Give a session.",
  });
}
