// Which lines of a screen look different than before.

/** Their numbers, from 1: lines that look different, that came and that went. */
export function changedLines(before: readonly string[], after: readonly string[]): number[] {
  const count = Math.max(before.length, after.length);
  return Array.from({ length: count }, (_, index) => index)
    .filter((index) => (before[index] ?? "") !== (after[index] ?? ""))
    .map((index) => index + 1);
}
