/** The value below which the given part (0…1) of the sample lies. */
export function quantile(sample: readonly number[], part: number): number {
  const sorted = sample.toSorted((left, right) => left - right);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  if (value === undefined) throw new Error("a quantile of nothing");
  return value;
}

export function median(sample: readonly number[]): number {
  const sorted = sample.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return quantile(sample, 0.5);
  const [below, above] = [sorted[middle - 1], sorted[middle]];
  if (below === undefined || above === undefined) throw new Error("a median of nothing");
  return (below + above) / 2;
}
