// Names and values, one under the other.
import { safeText } from "./safe-text.ts";
import type { Paint } from "./style.ts";

/** Without a value it is left out. */
export type Fact = readonly [name: string, value: string | null | undefined];

export function renderFacts(facts: readonly Fact[], paint: Paint): string {
  const shown = facts.filter(([, value]) => value !== undefined && value !== null);
  const width = Math.max(...shown.map(([name]) => name.length));
  const lines = shown.map(([name, value]) => `${paint("dim", name.padEnd(width))}  ${safeText(value ?? "")}`);
  return `${lines.join("\n")}\n`;
}
