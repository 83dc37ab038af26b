import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readConfigFile, readFileLayer } from "./config-file.ts";
import { configTable } from "./keys.ts";

function read(text: string) {
  return readFileLayer(configTable, { file: "f", source: "home", content: { text } });
}

function problemsOf(text: string): string[] {
  return read(text).problems.map(({ line, key, message }) => `${line} ${key} ${message}`);
}

describe("values", () => {
  test("stand with their lines", () => {
    const { given, problems } = read(
      "# hello\noutput:\n  # how much\n  tailBytes: 70000\nlog: {level: warn, files: 3}\n",
    );
    expect(problems).toEqual([]);
    expect([...given].map(([name, { value, line }]) => [name, value, line])).toEqual([
      ["output.tailBytes", 70_000, 4],
      ["log.level", "warn", 5],
      ["log.files", 3, 5],
    ]);
  });

  test("are not given by empty places", () => {
    for (const text of [
      "",
      "# only words\n",
      "~\n",
      "output:\n  # tailBytes: 1\n",
      "stop:\n  graceMs:\n",
      "--- {}\n",
    ]) {
      expect(read(text), text).toMatchObject({ given: new Map(), problems: [] });
    }
  });

  test("may come from an alias", () => {
    expect(
      read("stop:\n  graceMs: &short 7\nstart:\n  timeoutMs: *short\n").given.get("start.timeoutMs"),
    ).toMatchObject({
      value: 7,
      line: 4,
    });
  });
});

describe("problems", () => {
  test("in the YAML are told with their line, and then no value is", () => {
    const cases: [string, number, RegExp][] = [
      ["log:\n  level: info\noutput: [1,\nstop: 2\n", 4, /Flow sequence/],
      ["log:\n  level: info\nlog:\n  files: 2\n", 3, /unique/],
      ["log:\n\tlevel: info\n", 2, /[Tt]abs/],
      ["profile: a\n---\nprofile: b\n", 2, /multiple documents/],
      ["log:\n  level: !loud info\n", 2, /Unresolved tag/],
      ['profile: "open\n', 2, /quote/],
    ];
    for (const [text, line, message] of cases) {
      const { given, problems } = read(text);
      expect(problems[0], text).toMatchObject({ file: "f", line, key: "" });
      expect(problems[0]?.message).toMatch(message);
      expect(problems[0]?.message).not.toContain("\n");
      expect(given.size).toBe(0);
    }
  });

  test("in values name the key, and all of them are told", () => {
    expect(
      problemsOf("output:\n  tailBytes: 64MiB\n  headBytes: -1\nlog:\n  level: loud\n  files: 1.5\n"),
    ).toEqual([
      '2 output.tailBytes "64MiB" cannot be used: Invalid input: expected number, received string',
      "3 output.headBytes -1 cannot be used: Too small: expected number to be >=0",
      '5 log.level "loud" cannot be used: Invalid option: expected one of "trace"|"debug"|"info"|"warn"|"error"|"fatal"',
      "6 log.files 1.5 cannot be used: Invalid input: expected int, received number",
    ]);
    expect(problemsOf("stop:\n  graceMs: .inf\n")).toHaveLength(1);
    expect(problemsOf("stop:\n  graceMs: {a: 1}\n")[0]).toMatch(/^2 stop\.graceMs \{ a: 1 \} cannot be used/);
    expect(problemsOf(`profile: ${"x".repeat(500)}\n`)[0]?.length).toBeLessThan(250);
  });

  test("are unknown keys, with the one that was perhaps meant", () => {
    expect(problemsOf("output:\n  tailByte: 1\n")).toEqual([
      "2 output.tailByte there is no such key; perhaps output.tailBytes is meant",
    ]);
    expect(problemsOf("outptu:\n  tailBytes: 1\n")).toEqual(["1 outptu there is no such key"]);
    expect(problemsOf("tailBytes: 1\n")).toEqual([
      "1 tailBytes there is no such key; perhaps output.tailBytes is meant",
    ]);
    expect(problemsOf("output.tailBytes: 5000\n")).toEqual(["1 output.tailBytes nest it, one level per dot"]);
    expect(problemsOf("__proto__:\n  a: 1\n7: 1\n<<: {profile: x}\n? [a]\n: 1\n")).toHaveLength(4);
  });

  test("are groups that are none, and files that are no mapping", () => {
    expect(problemsOf("output: 5\n")[0]).toMatch(/^1 output this is a group of keys: output\.headBytes/);
    expect(problemsOf("- output\n")).toEqual(["1  a mapping of keys to values is expected"]);
    expect(problemsOf("hello\n")).toHaveLength(1);
  });

  test("are aliases of nothing, and of too much", () => {
    expect(problemsOf("stop:\n  graceMs: *nobody\n")).toHaveLength(1);
    const levels = Array.from(
      { length: 9 },
      (_, level) => `&a${level} [${`*a${level - 1},`.repeat(level && 9)}]`,
    );
    expect(problemsOf(`profile:\n${levels.map((one) => `  - ${one}\n`).join("")}`)[0]).toMatch(/^1 profile /);
  });
});

describe("readConfigFile", () => {
  const directory = mkdtempSync(join(homedir(), "file-"));

  test("tells a missing file from one that cannot be read", () => {
    const file = join(directory, "a.yaml");
    expect(readConfigFile(file)).toEqual({ text: undefined });
    writeFileSync(file, "profile: a\n");
    expect(readConfigFile(file)).toEqual({ text: "profile: a\n" });
    mkdirSync(join(directory, "folder.yaml"));
    expect(readConfigFile(join(directory, "folder.yaml"))).toEqual({ unreadable: "this is not a file" });
    expect(readConfigFile(join(file, "below"))).toEqual({ text: undefined });
    writeFileSync(join(directory, "large.yaml"), "#".repeat(2_000_000));
    expect(readConfigFile(join(directory, "large.yaml"))).toHaveProperty("unreadable");
  });

  test("a file that cannot be read is a problem of that file", () => {
    const content = { unreadable: "it cannot be read: EACCES" };
    expect(readFileLayer(configTable, { file: "f", source: "home", content }).problems).toEqual([
      { file: "f", line: null, key: "", message: "it cannot be read: EACCES" },
    ]);
  });
});
