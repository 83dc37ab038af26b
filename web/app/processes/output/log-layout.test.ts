import { expect, test } from "vitest";
import { cellsOf, rowsOf } from "~/processes/output/cells.ts";
import type { LogPage } from "~/processes/output/log-document.ts";
import {
  columnOfOffset,
  itemsBetween,
  layoutOf,
  offsetOfRow,
  rowOfOffset,
  rowPx,
} from "~/processes/output/log-layout.ts";
import { LogBytes, pageBytes } from "~/processes/output/log-lines.ts";
import { spansOf } from "~/processes/output/log-spans.ts";

/** A page of lines of 16 bytes each. */
function page(from: number, text = "fifteen letters"): LogPage {
  const lines = Array.from({ length: pageBytes / 16 }, (_, index) => ({
    offset: from + index * 16,
    to: from + index * 16 + 16,
    atMs: 0,
    stream: "stdout" as const,
    text,
  }));
  const bytes = new TextEncoder().encode(`${text}\n`.repeat(pageBytes / 16)).subarray(0, pageBytes);
  const log = new LogBytes(from, [{ offset: from, atMs: 0, stream: "stdout", bytes }]);
  return { log, lines, styles: lines.map(() => ({})), endStyle: {} };
}

const linesPerPage = pageBytes / 16;

test("read pages take the room of their lines, others what they will probably take", () => {
  const spans = spansOf([{ from: 0, to: 4 * pageBytes }]);
  const layout = layoutOf({ spans, pages: new Map([[pageBytes, page(pageBytes)]]) }, undefined, 0);
  expect(layout.isWindow).toBe(false);
  expect(layout.starts).toEqual([0, 1, 2, 3, 4].map((count) => count * linesPerPage));
  expect(layout.heightPx).toBe(4 * linesPerPage * rowPx);
});

test("an offset has a row and a row an offset, in read pages exactly", () => {
  const spans = spansOf([{ from: 0, to: 4 * pageBytes }]);
  const layout = layoutOf({ spans, pages: new Map([[pageBytes, page(pageBytes)]]) }, undefined, 0);
  for (const line of [0, 1, 77, linesPerPage - 1]) {
    const offset = pageBytes + line * 16;
    expect(rowOfOffset(layout, offset + 5)).toBe(linesPerPage + line);
    expect(offsetOfRow(layout, linesPerPage + line)).toBe(offset);
  }
  expect(rowOfOffset(layout, 2.5 * pageBytes)).toBe(2.5 * linesPerPage);
  expect(rowOfOffset(layout, 99 * pageBytes)).toBe(4 * linesPerPage);
  expect(rowOfOffset(layoutOf({ spans: [], pages: new Map() }, undefined, 0), 5)).toBe(0);
});

test("what is in view: lines, gaps, and places where something is still to be read", () => {
  const spans = spansOf([
    { from: 0, to: pageBytes },
    { from: 3 * pageBytes, to: 5 * pageBytes },
  ]);
  const layout = layoutOf({ spans, pages: new Map([[0, page(0)]]) }, undefined, 0);
  const items = itemsBetween(layout, linesPerPage - 2, linesPerPage + 5);
  expect(items.map(({ kind, row }) => [kind, row - linesPerPage])).toEqual([
    ["line", -2],
    ["line", -1],
    ["gap", 0],
    ["unread", 2],
  ]);
});

test("wrapped lines take as many rows as their text needs", () => {
  const spans = spansOf([{ from: 0, to: pageBytes }]);
  const layout = layoutOf({ spans, pages: new Map([[0, page(0)]]) }, 10, 0);
  expect(layout.heightPx).toBe(2 * linesPerPage * rowPx);
  expect(rowOfOffset(layout, 16 * 3)).toBe(6);
  expect([6, 7, 8].map((row) => offsetOfRow(layout, row))).toEqual([48, 48, 64]);
  expect(itemsBetween(layout, 7, 8).map(({ row, rows }) => [row, rows])).toEqual([
    [6, 2],
    [8, 2],
  ]);
});

test("a place inside a line has its own row where lines are wrapped, else its own column", () => {
  const spans = spansOf([{ from: 0, to: 2 * pageBytes }]);
  // 15 bytes, 8 columns: colours take none, one character takes two.
  const pages = new Map([[0, page(0, "\u001b[31mab日é123")]]);
  const wrapped = layoutOf({ spans, pages }, 4, 0);
  // a b 日 | é 1 2 3
  expect([16, 21, 22, 23, 26, 28, 30].map((offset) => rowOfOffset(wrapped, offset))).toEqual([
    2, 2, 2, 2, 3, 3, 3,
  ]);
  expect(columnOfOffset(wrapped, 26)).toBe(0);
  const cut = layoutOf({ spans, pages }, undefined, 0);
  expect([16, 21, 22, 23, 26, 28, 30].map((offset) => columnOfOffset(cut, offset))).toEqual([
    0, 0, 1, 2, 4, 5, 7,
  ]);
  expect(rowOfOffset(cut, 30)).toBe(1);
  expect(columnOfOffset(cut, pageBytes + 5)).toBeUndefined();
});

test("a gigabyte is laid out around the place one looks at, within what a browser can scroll", () => {
  const spans = spansOf([{ from: 0, to: 2 ** 30 }]);
  for (const around of [0, 2 ** 29, 2 ** 30 - 1]) {
    const layout = layoutOf({ spans, pages: new Map() }, undefined, around);
    expect(layout.isWindow).toBe(true);
    expect(layout.heightPx).toBeLessThan(13_000_000);
    const row = rowOfOffset(layout, around);
    expect(row * rowPx).toBeLessThanOrEqual(layout.heightPx);
    expect(Math.abs(offsetOfRow(layout, row) - around)).toBeLessThan(pageBytes);
  }
});

test("rows of text with wide characters", () => {
  expect(rowsOf(["abc"], 10)).toBe(1);
  expect(rowsOf([""], 10)).toBe(1);
  expect(rowsOf(["0123456789"], 10)).toBe(1);
  expect(rowsOf(["0123456789a"], 10)).toBe(2);
  expect(rowsOf(["01234", "56789", "a"], 10)).toBe(2);
  // A wide one that does not fit begins a new row.
  expect(rowsOf(["012345678日"], 10)).toBe(2);
  expect(rowsOf(["日".repeat(10)], 10)).toBe(2);
  expect(rowsOf(["日".repeat(10)], 9)).toBe(3);
  expect(cellsOf("aé日🎉b")).toEqual([
    { text: "a", width: 1 },
    { text: "é", width: 1 },
    { text: "日", width: 2 },
    { text: "🎉", width: 2 },
    { text: "b", width: 1 },
  ]);
});

test("what is drawn as an emoji is two columns wide, what is drawn as a letter or a symbol is one", () => {
  const widths = (texts: string): number[] => texts.split(" ").map((text) => cellsOf(text)[0]?.width ?? 0);
  expect(new Set(widths("✅ ❌ ⚡ ⭐ ⏰ ⌛ 🇩🇪 ⚠️ ❤️ 1️⃣ 😀 👩‍💻 👍🏽 🀄 漢 ｗ 한 、 〈 ㍿ 𠮷"))).toEqual(
    new Set([2]),
  );
  expect(new Set(widths("é → ✓ ⚠ ❤ © ™ █ ─ ½ ﾊ λ я 𝒳 🡒 🜁"))).toEqual(new Set([1]));
  expect(rowsOf(["✅".repeat(5)], 10)).toBe(1);
  expect(rowsOf(["✅".repeat(6)], 10)).toBe(2);
});
