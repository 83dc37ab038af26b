import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RotatingFile } from "./rotating-file.ts";

function newPath(): string {
  return join(mkdtempSync(join(homedir(), "log-")), "daemon.log");
}

function line(number: number): string {
  return `${String(number).padStart(9, "0")}\n`;
}

/** All lines there are, oldest first. */
function linesOf(path: string, files: number): string[] {
  const names = [...Array.from({ length: files - 1 }, (_, index) => `${path}.${files - 1 - index}`), path];
  const texts = names.filter((name) => existsSync(name)).map((name) => readFileSync(name, "utf8"));
  return texts.flatMap((text) => text.split("\n").slice(0, -1));
}

describe("a rotating file", () => {
  test("goes on in a new file, keeps the newest, and no line is cut or lost between them", () => {
    const path = newPath();
    const file = new RotatingFile({ path, files: 3, fileBytes: 45 });
    for (let number = 0; number < 30; number += 1) file.append(line(number));
    file.close();
    expect(linesOf(path, 3)).toEqual(Array.from({ length: 10 }, (_, index) => line(20 + index).trim()));
    // 4 lines of 10 bytes fit into 45.
    expect([path, `${path}.1`, `${path}.2`].map((name) => statSync(name).size)).toEqual([20, 40, 40]);
    expect(existsSync(`${path}.3`)).toBe(false);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("goes on where the last owner stopped, and mends a line it was killed in", () => {
    const path = newPath();
    writeFileSync(path, `${line(1)}0000`);
    chmodSync(path, 0o644);
    const file = new RotatingFile({ path, files: 3, fileBytes: 100 });
    file.append(line(2));
    file.close();
    expect(readFileSync(path, "utf8")).toBe(`${line(1)}0000\n${line(2)}`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("a number without a file, which a kill in a rotation leaves, is used first", () => {
    const path = newPath();
    const fill = (): RotatingFile => new RotatingFile({ path, files: 4, fileBytes: 10 });
    const file = fill();
    for (const number of [1, 2, 3, 4]) file.append(line(number));
    file.close();
    // As after the renames of 2 to 3 and 1 to 2, which come first.
    renameSync(`${path}.2`, `${path}.3`);
    renameSync(`${path}.1`, `${path}.2`);
    const next = fill();
    next.append(line(5));
    next.close();
    expect(linesOf(path, 4)).toEqual([2, 3, 4, 5].map((number) => line(number).trim()));
  });

  test("a longer line than a file may be stands whole in a file of its own", () => {
    const path = newPath();
    const file = new RotatingFile({ path, files: 3, fileBytes: 10 });
    const long = `${"x".repeat(100)}\n`;
    for (const text of [line(1), long, line(2)]) file.append(text);
    file.close();
    expect([`${path}.2`, `${path}.1`, path].map((name) => readFileSync(name, "utf8"))).toEqual([
      line(1),
      long,
      line(2),
    ]);
  });

  test("one file alone begins anew; files of a time when more were kept go", () => {
    const path = newPath();
    for (const number of [1, 2]) writeFileSync(`${path}.${number}`, line(0));
    const file = new RotatingFile({ path, files: 1, fileBytes: 20 });
    for (const number of [1, 2, 3]) file.append(line(number));
    file.close();
    expect(readFileSync(path, "utf8")).toBe(line(3));
    expect([existsSync(`${path}.1`), existsSync(`${path}.2`)]).toEqual([false, false]);
  });

  test("where no rotation is possible the file becomes longer, and says why", () => {
    const path = newPath();
    mkdirSync(join(`${path}.1`, "in-the-way"), { recursive: true });
    const file = new RotatingFile({ path, files: 2, fileBytes: 10 });
    for (const number of [1, 2, 3]) file.append(line(number));
    expect(readFileSync(path, "utf8")).toBe(line(1) + line(2) + line(3));
    expect(file.rotationProblem).toContain(path);
    file.close();
  });

  test("what cannot be written throws, and leaves nothing behind that the next line would be written onto", () => {
    const directory = mkdtempSync(join(homedir(), "log-"));
    const path = join(directory, "gone", "daemon.log");
    const file = new RotatingFile({ path, files: 2, fileBytes: 100 });
    expect(() => file.append(line(1))).toThrow("ENOENT");
    mkdirSync(join(directory, "gone"));
    file.append(line(2));
    expect(readFileSync(path, "utf8")).toBe(line(2));
    file.close();
    rmSync(directory, { recursive: true });
  });
});
