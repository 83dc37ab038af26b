// KEY=VALUE options that may be given again and again.
import { invalidArgument } from "./invalid-argument.ts";

export type KeyValues = Readonly<Record<string, string>>;

/** For commander: adds one more. @throws HoldfastError INVALID_ARGUMENT */
export function collectKeyValue(text: string, before: KeyValues = {}): KeyValues {
  const at = text.indexOf("=");
  if (at <= 0) throw invalidArgument(`"${text}" is not of the form KEY=VALUE`);
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** For commander: adds one more. */
export function collectText(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
