import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { LogEntry } from "../../home/index.ts";
import { isWanted } from "./log-filter.ts";
import { LogReader } from "./log-reader.ts";

function newPath(): string {
  return join(mkdtempSync(join(homedir(), "log-")), "daemon.log");
}

function open(path: string, follow = false): { reader: LogReader; notes: string[] } {
  const notes: string[] = [];
  const reader = new LogReader({ path, follow, note: (text) => void notes.push(text) });
  onTestFinished(() => reader.close());
  return { reader, notes };
}

function present(path: string): string[] {
  return [...open(path).reader.present()].map(({ text }) => text);
}

/** As the daemon rotates. */
function rotate(path: string, files = 3): void {
  for (let number = files - 1; number > 0; number -= 1) {
    try {
      renameSync(number === 1 ? path : `${path}.${number - 1}`, `${path}.${number}`);
    } catch {
      // there is none yet
    }
  }
}

async function next(lines: AsyncIterator<{ text: string }>, count: number): Promise<string[]> {
  const texts: string[] = [];
  while (texts.length < count) texts.push(((await lines.next()).value as { text: string }).text);
  return texts;
}

describe("what is there", () => {
  test("is read over all files, oldest first, and an unfinished line last", () => {
    const path = newPath();
    writeFileSync(`${path}.10`, "a\nb\n");
    writeFileSync(`${path}.2`, "c\nhalf");
    mkdirSync(`${path}.1`);
    writeFileSync(`${path}.old`, "no\n");
    writeFileSync(path, "d\ne");
    expect(present(path)).toEqual(["a", "b", "c", "half", "d", "e"]);
  });

  test("is nothing where there is no log; lines longer than a read are whole", () => {
    const path = newPath();
    expect(present(path)).toEqual([]);
    const long = "ä".repeat(100_000);
    writeFileSync(path, `${long}\nb\n`);
    expect(present(path)).toEqual([long, "b"]);
  });
});

describe("what comes", () => {
  test("is each line once, over rotations between two looks and a line that comes in parts", async () => {
    const path = newPath();
    writeFileSync(path, "a\n");
    const { reader, notes } = open(path, true);
    expect([...reader.present()].map(({ text }) => text)).toEqual(["a"]);
    const lines = reader.coming();
    appendFileSync(path, "b");
    appendFileSync(path, "c\nd\n");
    rotate(path);
    writeFileSync(path, "e\n");
    rotate(path);
    writeFileSync(path, "f\n");
    expect(await next(lines, 4)).toEqual(["bc", "d", "e", "f"]);
    appendFileSync(path, "g\n");
    expect(await next(lines, 1)).toEqual(["g"]);
    expect(notes).toEqual([]);
  });

  test("begins with the first daemon there ever is", async () => {
    const path = newPath();
    const { reader } = open(path, true);
    expect([...reader.present()]).toEqual([]);
    const lines = reader.coming();
    writeFileSync(path, "a\n");
    expect(await next(lines, 1)).toEqual(["a"]);
  });

  test("says so when the log was rotated away before it was read", async () => {
    const path = newPath();
    writeFileSync(path, "a\n");
    utimesSync(path, 0, 0); // files of one moment may have the same time
    const { reader, notes } = open(path, true);
    expect([...reader.present()]).toHaveLength(1);
    const lines = reader.coming();
    for (const text of ["b", "c", "d", "e"]) {
      rotate(path);
      writeFileSync(path, `${text}\n`);
    }
    expect(await next(lines, 3)).toEqual(["c", "d", "e"]);
    expect(notes).toHaveLength(1);
  });

  test("repeats nothing when somebody removes the file, and begins again when somebody empties it", async () => {
    const path = newPath();
    writeFileSync(`${path}.1`, "old\n");
    writeFileSync(path, "a\n");
    const { reader } = open(path, true);
    expect([...reader.present()]).toHaveLength(2);
    const lines = reader.coming();
    rmSync(path);
    await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(path, "b\nbb\n");
    expect(await next(lines, 2)).toEqual(["b", "bb"]);
    truncateSync(path);
    appendFileSync(path, "c\n");
    expect(await next(lines, 1)).toEqual(["c"]);
  });

  test("forgets the beginning of a line that the writer took back", () => {
    const path = newPath();
    writeFileSync(path, "a\nhalf a li");
    const { reader } = open(path, true);
    const read = (): string[] => [...reader.present()].map(({ text }) => text);
    expect(read()).toEqual(["a"]);
    truncateSync(path, 2);
    appendFileSync(path, "whole\n");
    expect(read()).toEqual(["whole"]);
  });
});

describe("filters", () => {
  const entry = (fields: LogEntry["fields"], level: LogEntry["level"] = "info"): LogEntry => {
    return { level, time: "", message: "", fields };
  };

  test("by level and session", () => {
    expect(isWanted(entry({}), { level: "info" })).toBe(true);
    expect(isWanted(entry({}), { level: "warn" })).toBe(false);
    expect(isWanted(entry({ session: "s" }), { session: "s" })).toBe(true);
    expect(isWanted(entry({}), { session: "s" })).toBe(false);
  });

  test("by process, also where the caller of a request typed less than the whole id", () => {
    const asked = { process: "p_bcdfghjkmnpq" };
    for (const processId of ["p_bcdfghjkmnpq", "bcdfgh", "p_bcdf"])
      expect(isWanted(entry({ processId }), asked), processId).toBe(true);
    for (const processId of ["bcd", "p_xcdfghjkmnpq", 7, undefined])
      expect(isWanted(entry({ processId }), asked), String(processId)).toBe(false);
    expect(isWanted(entry({ processIds: ["x", "p_bcdfghjkmnpq"] }), { process: "bcdf" })).toBe(true);
  });
});
