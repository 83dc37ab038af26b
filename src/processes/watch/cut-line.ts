// A line that is too long to be shown whole.
import type { Redactor } from "../../redaction/index.ts";

/** At most so many characters. Secrets go before the cut: half of one would no longer be recognised by whoever tells it. */
export function cutLine(line: string, mostCharacters: number, redactor: Redactor): string {
  if (line.length <= mostCharacters) return line;
  const clean = redactor.line(line);
  if (clean.length <= mostCharacters) return clean;
  // Not through a surrogate pair.
  const cut = clean.slice(0, mostCharacters - 1).replace(/[\ud800-\udbff]$/, "");
  return `${cut}…`;
}
