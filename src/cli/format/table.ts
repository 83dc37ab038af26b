// Rows in columns that fit the terminal: one column gives way, all others are shown whole.
import { displayWidth, fitText } from "./display-width.ts";
import { safeText } from "./safe-text.ts";
import type { Colour, Paint } from "./style.ts";

export interface Cell {
  readonly text: string;
  readonly colour?: Colour | undefined;
}

export interface TableOptions {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Of the terminal; undefined: nothing is cut. */
  readonly columns: number | undefined;
  readonly paint: Paint;
}

const gap = "  ";
// Below this the last column says nothing: the line is left to wrap instead.
const leastLastColumn = 10;

/** The last column is the one that is cut. */
export function renderTable({ headings, rows, columns, paint }: TableOptions): string {
  const heading = headings.map((text): Cell => ({ text, colour: "dim" }));
  const safe = [heading, ...rows].map((row) => row.map((cell) => ({ ...cell, text: safeText(cell.text) })));
  const last = headings.length - 1;
  const widths = headings.map((_, index) =>
    Math.max(...safe.map((row) => displayWidth(row[index]?.text ?? ""))),
  );
  const taken = widths.slice(0, last).reduce((sum, width) => sum + width + gap.length, 0);
  const room = columns === undefined ? Infinity : Math.max(leastLastColumn, columns - taken);
  const line = (row: readonly Cell[]): string =>
    row
      .map(({ text, colour }, index) => {
        if (index === last) return paint(colour, fitText(text, room));
        return paint(colour, text) + " ".repeat((widths[index] ?? 0) - displayWidth(text));
      })
      .join(gap)
      .trimEnd();
  return `${safe.map(line).join("\n")}\n`;
}
