// Rows in columns that fit the terminal. The first says what a row is and stays whole; the last gives way first, then the widest.
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
// Less says nothing: the others give way before.
const leastLastColumn = 10;
const leastColumn = 6;

export function renderTable({ headings, rows, columns = Infinity, paint }: TableOptions): string {
  const heading = headings.map((text): Cell => ({ text, colour: "dim" }));
  const safe = [heading, ...rows].map((row) => row.map((cell) => ({ ...cell, text: safeText(cell.text) })));
  const whole = headings.map((_, index) =>
    Math.max(...safe.map((row) => displayWidth(row[index]?.text ?? ""))),
  );
  const widths = fitWidths(whole, columns);
  const line = (row: readonly Cell[]): string =>
    row
      .slice(0, widths.length)
      .map(({ text, colour }, index) => {
        const fitted = fitText(text, widths[index] ?? 0);
        return paint(colour, fitted) + " ".repeat((widths[index] ?? 0) - displayWidth(fitted));
      })
      .join(gap)
      .trimEnd();
  return `${safe.map(line).join("\n")}\n`;
}

/** Of columns for which there is no room at all, none. */
function fitWidths(whole: readonly number[], columns: number): number[] {
  const widths = [...whole];
  const last = widths.length - 1;
  const over = (): number =>
    widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1)) - columns;
  const giveWay = (index: number, least: number): void => {
    const width = widths[index] ?? 0;
    widths[index] = Math.max(Math.min(width, least), width - Math.max(0, over()));
  };
  if (last > 0) giveWay(last, leastLastColumn);
  const between = widths.map((_, index) => index).slice(1, last);
  while (over() > 0) {
    const [widest] = between.toSorted((one, other) => (widths[other] ?? 0) - (widths[one] ?? 0));
    if (widest === undefined || (widths[widest] ?? 0) <= leastColumn) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  if (last > 0) giveWay(last, 1);
  while (over() > 0 && widths.length > 1) widths.pop();
  return widths;
}
