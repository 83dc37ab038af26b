// Which key a terminal was opened by. Both ends use this file, so it has no zod.

/** The label of a terminal that was opened by a key, so that a later daemon finds it too. */
export const terminalKeyLabel = "holdfast.terminal";

export function terminalKeyOf({
  labels,
}: {
  readonly labels: Readonly<Record<string, string>>;
}): string | undefined {
  return labels[terminalKeyLabel];
}
