// The one table a bench prints: what was measured, beside what, and whether the bar holds.
import { median } from "./statistics.ts";

export interface Row {
  readonly work: string;
  readonly ours: string;
  /** The same work done the other way in the same run; empty for a line of information. */
  readonly other: string;
  readonly ratio: string;
  readonly bar: string;
  readonly verdict: "holds" | "MISSED" | "";
}

export interface BarRow {
  readonly work: string;
  readonly ours: string;
  readonly other: string;
  readonly ratio: string;
  readonly bar: string;
  readonly holds: boolean;
}

export function barRow(row: BarRow): Row {
  const { holds, ...rest } = row;
  return { ...rest, verdict: holds ? "holds" : "MISSED" };
}

/** For information: no bar. */
export function infoRow(work: string, ours: string, other = "", ratio = ""): Row {
  return { work, ours, other, ratio, bar: "", verdict: "" };
}

/** Median of the rounds and their range. */
export function rounds(values: readonly number[], unit: string, digits = 2): string {
  const range = `${Math.min(...values).toFixed(digits)}-${Math.max(...values).toFixed(digits)}`;
  return `${median(values).toFixed(digits)} ${unit} (${range})`;
}

const columns = ["work", "ours", "other", "ratio", "bar", "verdict"] as const satisfies ReadonlyArray<
  keyof Row
>;
const titles: Row = {
  work: "work",
  ours: "Holdfast",
  other: "beside it",
  ratio: "ratio",
  bar: "bar",
  verdict: "",
};

/** Prints the table as Markdown and returns how many bars were missed. */
export function printTable(rows: readonly Row[]): number {
  const widths = columns.map((column) => Math.max(...[titles, ...rows].map((row) => row[column].length)));
  const line = (row: Row): string =>
    `| ${columns.map((column, index) => row[column].padEnd(widths[index] ?? 0)).join(" | ")} |`;
  console.log(line(titles));
  console.log(`|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`);
  for (const row of rows) console.log(line(row));
  const bars = rows.filter((row) => row.verdict !== "");
  const missed = bars.filter((row) => row.verdict === "MISSED").length;
  console.log(`\n${bars.length - missed} bars hold, ${missed} MISSED`);
  return missed;
}
