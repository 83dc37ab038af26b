import { describe, expect, test } from "vitest";
import { displayWidth, fitText } from "./display-width.ts";
import { formatDuration } from "./duration.ts";
import { exitCodeOf, exitText } from "./exit.ts";
import { plainLine } from "./plain-line.ts";
import { safeLines, safeText } from "./safe-text.ts";
import { formatSize } from "./size.ts";
import { hasColour, painter } from "./style.ts";
import { renderTable } from "./table.ts";

test("durations have two units at most", () => {
  const texts = [0, 949, 3_200, 42_000, 185_000, 7_800_000, 90_000_000].map(formatDuration);
  expect(texts).toEqual(["0s", "0.9s", "3.2s", "42s", "3m 5s", "2h 10m", "1d 1h"]);
});

test("sizes", () => {
  expect([0, 512, 1_536, 10_240, 67_108_864].map(formatSize)).toEqual([
    "0 B",
    "512 B",
    "1.5 KiB",
    "10 KiB",
    "64 MiB",
  ]);
});

describe("text of others", () => {
  test("no control character reaches the terminal", () => {
    expect(safeText("a\u001b]0;title\u0007b\nc\t\u0000\u009b")).toBe("a\\e]0;title\\x07b\\nc\\t\\x00\\x9b");
  });

  test("nor a mark that turns the reading direction or has no width", () => {
    expect(safeText("rm \u202etxt.exe\u200b")).toBe("rm \\u202etxt.exe\\u200b");
    expect(safeText("grün 日本 🎉")).toBe("grün 日本 🎉");
  });

  test("lines and tabs stay in a message", () => {
    expect(safeLines("a\tb\n\u001bc")).toBe("a\tb\n\\ec");
  });
});

describe("tables", () => {
  const rows = [
    [{ text: "p_1" }, { text: "sleep 100000" }],
    [{ text: "p_22" }, { text: "日本語日本語" }],
  ];
  const paint = painter(false);

  test("fit the terminal: the last column is cut with …", () => {
    const text = renderTable({ headings: ["ID", "COMMAND"], rows, columns: 16, paint });
    expect(text).toBe("ID    COMMAND\np_1   sleep 100…\np_22  日本語日…\n");
    for (const line of text.trimEnd().split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(16);
  });

  test("on a narrow terminal long columns give way too, and those without room go; what a row is stays whole", () => {
    const headings = ["ID", "NAME", "STATE", "COMMAND"];
    const many = [["p_123456789012", "n".repeat(60), "running", "sleep 100"].map((cell) => ({ text: cell }))];
    const at = (columns: number): string[] =>
      renderTable({ headings, rows: many, columns, paint }).trimEnd().split("\n");
    expect(at(60)[1]).toBe(`p_123456789012  ${"n".repeat(23)}…  running  sleep 100`);
    expect(at(42)[1]).toBe("p_123456789012  nnnnn…  running  sleep 100");
    expect(at(20)[1]).toBe("p_123456789012");
    for (let columns = 14; columns < 120; columns += 1)
      for (const line of at(columns)) {
        expect(displayWidth(line)).toBeLessThanOrEqual(columns);
        expect(line.startsWith("ID") || line.startsWith("p_123456789012")).toBe(true);
      }
  });

  test("are whole where there is no terminal", () => {
    const text = renderTable({ headings: ["ID", "COMMAND"], rows, columns: undefined, paint });
    expect(text).toContain("sleep 100000\n");
  });

  test("a cut never leaves half a wide character", () => {
    expect(fitText("日本語", 4)).toBe("日…");
    expect(fitText("abc", 3)).toBe("abc");
  });
});

test("colours need a terminal, and NO_COLOR and TERM=dumb switch them off", () => {
  expect(hasColour(true, { TERM: "xterm" })).toBe(true);
  expect(hasColour(false, { TERM: "xterm" })).toBe(false);
  expect(hasColour(true, { NO_COLOR: "1" })).toBe(false);
  expect(hasColour(true, { NO_COLOR: "" })).toBe(true);
  expect(hasColour(true, { TERM: "dumb" })).toBe(false);
  expect(painter(true)("red", "x")).toBe("\u001b[31mx\u001b[0m");
});

test("exits in words and as the code a shell would give", () => {
  const lost = { kind: "lost", lastSeen: "2026-01-01T00:00:00.000Z" } as const;
  const notFound = { kind: "spawn_failed", stage: "exec", errno: 2, message: "" } as const;
  const killed = { kind: "signaled", signal: "SIGKILL", signalNumber: 9, coreDumped: false } as const;
  const exits = [{ kind: "exited", code: 3 } as const, killed, notFound, lost];
  expect(exits.map(exitText)).toEqual(["exited 3", "ended by SIGKILL", "not started", "lost"]);
  expect(exits.map(exitCodeOf)).toEqual([3, 137, 127, 125]);
  expect(exitCodeOf({ ...notFound, errno: 13 })).toBe(126);
  expect(exitCodeOf({ ...notFound, stage: "cwd" })).toBe(126);
});

test("a line as a person would have seen it", () => {
  expect(plainLine("\u001b[1;31mred\u001b[0m \u001b]8;;http://x\u001b\\link\u001b]8;;\u0007!")).toBe(
    "red link!",
  );
  expect(plainLine("10%\r50%\r100%\r")).toBe("100%");
  expect(plainLine("abX\bc\u0007\u0000")).toBe("abc");
  expect(plainLine("cut \u001b[3")).toBe("cut ");
});
