// Where every line of a log stands on a page that is as long as the log. Pages that were not read are given the room they will probably
// take. A log that is longer than a browser can scroll is laid out around the place one looks at.
import type { LogPage, LogState } from "~/processes/output/log-document.ts";
import type { LogLine } from "~/processes/output/log-lines.ts";
import { spanAt, type GapSpan, type LogSpan } from "~/processes/output/log-spans.ts";
import { cellsOf, rowsOf } from "~/processes/output/cells.ts";
import type { TextStyle } from "~/processes/output/sgr.ts";
import { readLine } from "~/processes/output/styled-line.ts";

export const rowPx = 18;
// Firefox ends at about 17 million pixels, Chromium at 33.
const mostPx = 12_000_000;
const gapRows = 2;
const usualBytesPerRow = 64;

export interface LogLayout {
  readonly spans: readonly LogSpan[];
  readonly pages: ReadonlyMap<number, LogPage>;
  /** Undefined: lines are not wrapped. */
  readonly columns: number | undefined;
  /** The first span that is laid out. */
  readonly first: number;
  /** Row at which each span begins, and the row behind the last. */
  readonly starts: readonly number[];
  readonly heightPx: number;
  /** Only a part of the log is laid out. */
  readonly isWindow: boolean;
}

export type LogItem =
  | {
      readonly kind: "line";
      readonly line: LogLine;
      readonly style: TextStyle;
      readonly row: number;
      readonly rows: number;
    }
  | { readonly kind: "gap"; readonly gap: GapSpan; readonly row: number; readonly rows: number }
  | { readonly kind: "unread"; readonly from: number; readonly row: number; readonly rows: number };

/** It is the line an offset is in. */
export function holdsOffset(item: LogItem, offset: number): boolean {
  return item.kind === "line" && item.line.offset <= offset && offset < item.line.to;
}

const wrapped = new WeakMap<LogPage, { readonly columns: number; readonly starts: readonly number[] }>();

/** The row at which each line of a page begins, and the row behind the last; undefined when each takes one. */
function rowStarts(page: LogPage, columns: number | undefined): readonly number[] | undefined {
  if (columns === undefined) return undefined;
  const known = wrapped.get(page);
  if (known?.columns === columns) return known.starts;
  const starts = [0];
  for (const [index, line] of page.lines.entries()) {
    const { spans } = readLine(line.text, page.styles[index] ?? {});
    starts.push(
      (starts[index] ?? 0) +
        rowsOf(
          spans.map(({ text }) => text),
          columns,
        ),
    );
  }
  wrapped.set(page, { columns, starts });
  return starts;
}

function pageRows(page: LogPage, columns: number | undefined): number {
  return rowStarts(page, columns)?.at(-1) ?? page.lines.length;
}

/** `around`: the offset one looks at. */
export function layoutOf(
  { spans, pages }: Pick<LogState, "spans" | "pages">,
  columns: number | undefined,
  around: number,
): LogLayout {
  const bytesPerRow = estimate(pages, columns);
  const rowsOfSpan = (span: LogSpan): number => {
    if (span.kind === "gap") return gapRows;
    const page = pages.get(span.from);
    return page === undefined
      ? Math.max(1, Math.round((span.to - span.from) / bytesPerRow))
      : pageRows(page, columns);
  };
  const rows = spans.map(rowsOfSpan);
  const { first, last } = windowOf(rows, spanAt(spans, around));
  const starts = [0];
  for (const count of rows.slice(first, last)) starts.push((starts.at(-1) ?? 0) + count);
  const isWindow = first > 0 || last < spans.length;
  return { spans, pages, columns, first, starts, heightPx: (starts.at(-1) ?? 0) * rowPx, isWindow };
}

/** As many spans around the middle as fit. */
function windowOf(rows: readonly number[], middle: number): { first: number; last: number } {
  const mostRows = mostPx / rowPx;
  const total = rows.reduce((sum, count) => sum + count, 0);
  if (total <= mostRows) return { first: 0, last: rows.length };
  let first = middle;
  let last = middle + 1;
  let taken = rows[middle] ?? 0;
  while (taken < mostRows && (first > 0 || last < rows.length)) {
    if (first > 0) taken += rows[(first -= 1)] ?? 0;
    if (last < rows.length) taken += rows[(last += 1) - 1] ?? 0;
  }
  return { first, last };
}

/** In steps: a bar that moves a little with every page that is read helps nobody. */
function estimate(pages: ReadonlyMap<number, LogPage>, columns: number | undefined): number {
  let bytes = 0;
  let rows = 0;
  for (const page of pages.values()) {
    bytes += page.log.bytes.length;
    rows += pageRows(page, columns);
  }
  if (rows === 0) return usualBytesPerRow;
  return 2 ** Math.round(Math.log2(Math.max(1, bytes / rows)));
}

/** The last index whose value is not above `wanted`. */
function lastNotAbove(values: readonly number[], wanted: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((values[middle] ?? 0) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The line of a page that holds an offset, or the nearest before it. */
function lineIndexAt(page: LogPage, offset: number): number {
  let low = 0;
  let high = page.lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((page.lines[middle]?.offset ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

const decoder = new TextDecoder();

/** What is shown of a line before an offset in it. */
function textsBefore({ log, lines, styles }: LogPage, index: number, offset: number): string[] {
  const line = lines[index];
  if (line === undefined || offset <= line.offset) return [];
  const before = log.bytes.subarray(line.offset - log.from, Math.min(offset, line.to) - log.from);
  return readLine(decoder.decode(before), styles[index] ?? {}).spans.map(({ text }) => text);
}

/** The column at which an offset stands in a line that is not wrapped; undefined while its page was not read. */
export function columnOfOffset({ spans, pages, columns }: LogLayout, offset: number): number | undefined {
  const page = pages.get(spans[spanAt(spans, offset)]?.from ?? -1);
  if (page === undefined) return undefined;
  if (columns !== undefined) return 0;
  const before = textsBefore(page, lineIndexAt(page, offset), offset);
  return before.flatMap(cellsOf).reduce((sum, { width }) => sum + width, 0);
}

/** Where an offset stands, in a wrapped line too; about there, while its page was not read. */
export function rowOfOffset(layout: LogLayout, offset: number): number {
  const { spans, pages, columns, first, starts } = layout;
  const at = Math.min(Math.max(spanAt(spans, offset) - first, 0), starts.length - 2);
  const span = spans[first + at];
  if (span === undefined) return 0;
  const start = starts[at] ?? 0;
  const page = pages.get(span.from);
  if (page === undefined) {
    const share = Math.min(1, Math.max(0, (offset - span.from) / Math.max(1, span.to - span.from)));
    return start + Math.floor(((starts[at + 1] ?? start) - start) * share);
  }
  const index = lineIndexAt(page, offset);
  if (columns === undefined) return start + index;
  // With one more character: what fills a row to its end leaves the next one to the row behind.
  const rowInLine = rowsOf([...textsBefore(page, index, offset), "."], columns) - 1;
  return start + (rowStarts(page, columns)?.[index] ?? index) + rowInLine;
}

/** The offset of the line at a row; about that, while its page was not read. */
export function offsetOfRow(layout: LogLayout, row: number): number {
  const { spans, pages, columns, first, starts } = layout;
  const at = Math.min(lastNotAbove(starts, Math.max(0, row)), starts.length - 2);
  const span = spans[first + at];
  if (span === undefined) return 0;
  const within = row - (starts[at] ?? 0);
  const page = pages.get(span.from);
  if (page === undefined || page.lines.length === 0) {
    const rows = Math.max(1, (starts[at + 1] ?? 0) - (starts[at] ?? 0));
    return span.from + Math.floor(((span.to - span.from) * Math.max(0, within)) / rows);
  }
  const inPage = rowStarts(page, columns);
  const index = inPage === undefined ? Math.floor(within) : lastNotAbove(inPage.slice(0, -1), within);
  return page.lines[Math.min(Math.max(0, index), page.lines.length - 1)]?.offset ?? span.from;
}

/** Everything between two rows. */
export function itemsBetween(layout: LogLayout, fromRow: number, toRow: number): LogItem[] {
  const { spans, pages, columns, first, starts } = layout;
  const items: LogItem[] = [];
  for (let at = lastNotAbove(starts, Math.max(0, fromRow)); at < starts.length - 1; at += 1) {
    const span = spans[first + at];
    const start = starts[at] ?? 0;
    const rows = (starts[at + 1] ?? start) - start;
    if (span === undefined || start > toRow) break;
    const page = span.kind === "page" ? pages.get(span.from) : undefined;
    if (span.kind === "gap") items.push({ kind: "gap", gap: span, row: start, rows });
    else if (page === undefined) items.push({ kind: "unread", from: span.from, row: start, rows });
    else items.push(...linesBetween(page, columns, start, fromRow, toRow));
  }
  return items;
}

function linesBetween(
  page: LogPage,
  columns: number | undefined,
  start: number,
  fromRow: number,
  toRow: number,
): LogItem[] {
  const inPage = rowStarts(page, columns);
  const begin = Math.max(0, fromRow - start);
  const items: LogItem[] = [];
  for (
    let index = inPage === undefined ? Math.floor(begin) : lastNotAbove(inPage, begin);
    index < page.lines.length;
    index += 1
  ) {
    const line = page.lines[index];
    const row = start + (inPage?.[index] ?? index);
    if (line === undefined || row > toRow) break;
    const rows = inPage === undefined ? 1 : (inPage[index + 1] ?? 0) - (inPage[index] ?? 0);
    items.push({ kind: "line", line, style: page.styles[index] ?? {}, row, rows });
  }
  return items;
}
