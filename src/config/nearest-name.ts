// The name somebody probably meant.

/** The known name nearest to this one; undefined when none is near. A last part alone finds its key. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let best: { readonly name: string; readonly distance: number } | undefined;
  // A third of the letters wrong is a typing error; more is another word.
  const farthest = Math.max(1, Math.floor(name.length / 3));
  for (const candidate of known) {
    const last = candidate.slice(candidate.lastIndexOf(".") + 1);
    const distance = Math.min(editDistance(name, candidate), editDistance(name, last));
    if (distance <= farthest && distance < (best?.distance ?? Infinity)) best = { name: candidate, distance };
  }
  return best?.name;
}

/** Letters to add, drop or change, upper and lower case alike (Levenshtein). */
function editDistance(one: string, other: string): number {
  const from = one.toLowerCase();
  const to = other.toLowerCase();
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const change = from[row - 1] === to[column - 1] ? 0 : 1;
      current.push(
        Math.min((above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (above[column - 1] ?? 0) + change),
      );
    }
    above = current;
  }
  return above[to.length] ?? 0;
}
