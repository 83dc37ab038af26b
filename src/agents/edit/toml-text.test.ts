import * as fc from "fast-check";
import { expect, test } from "vitest";
import { TextFault } from "./config-text.ts";
import { readTomlText } from "./toml-text.ts";

const path = ["mcp_servers", "holdfast"];
const entry = { command: "/bin/holdfast", args: ["mcp"], env: { HOLDFAST_HOME: "/h" } };
const table = [
  "[mcp_servers.holdfast]",
  'command = "/bin/holdfast"',
  'args = ["mcp"]',
  'env = { HOLDFAST_HOME = "/h" }',
].join("\n");

function set(text: string): string {
  return readTomlText(text).set(path, entry);
}

const realistic = `# Codex
model = "gpt-5.1" # best
notify = [
  "sh", # a program
  '-c',
]

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs]mcp"]

[mcp_servers.docs.env]
KEY = """
[mcp_servers.holdfast]
not a table
"""

[projects."/a.b/c"]
trust_level = "trusted"
`;

test("a table is put at the end, whatever looks like one in a string", () => {
  expect(set(realistic)).toBe(`${realistic}\n${table}\n`);
  expect(readTomlText(realistic).get(path)).toBeUndefined();
  expect(readTomlText(realistic).get(["mcp_servers", "docs"])).toEqual({
    command: "npx",
    args: ["-y", "docs]mcp"],
    env: { KEY: "\n[mcp_servers.holdfast]\nnot a table\n" },
  });
  expect(set("")).toBe(`${table}\n`);
  expect(set("a = 1")).toBe(`a = 1\n\n${table}\n`);
  expect(set("a = 1\r\n")).toBe(`a = 1\r\n\r\n${table.replaceAll("\n", "\r\n")}\r\n`);
});

test("another one is replaced in its place with its own tables, and removed", () => {
  const old = `[a]\nx = 1\n\n# ours\n[mcp_servers."holdfast"]\ncommand = "old" # c\n\n[mcp_servers.holdfast.env]\nA = "1"\n\n# about b\n[b]\ny = 1979-05-27 07:32:00\n`;
  expect(readTomlText(old).get(path)).toEqual({ command: "old", env: { A: "1" } });
  expect(set(old)).toBe(`[a]\nx = 1\n\n# ours\n${table}\n\n# about b\n[b]\ny = 1979-05-27 07:32:00\n`);
  expect(readTomlText(old).remove(path)).toBe(
    "[a]\nx = 1\n\n# ours\n\n# about b\n[b]\ny = 1979-05-27 07:32:00\n",
  );
  expect(readTomlText("a = 1\n").remove(path)).toBe("a = 1\n");
});

test.for([
  ["mcp_servers = { a = {} }\n", 1],
  ['x = 1\n[mcp_servers]\nholdfast = { command = "x" }\n', 3],
  ['mcp_servers.holdfast.command = "x"\n', 1],
  ["[[mcp_servers]]\n", 1],
  ['a = "open\nb = 1\n', 1],
  ["a = 1\nb = [1, 2\n", 2],
  ["a = 1\nb\n", 2],
  ["[a\nb = 1\n", 1],
  ["a = 1 2\n", 1],
  ['a = """open\n', 1],
  ["a = {b 1}\n", 1],
  ["a =\n", 1],
] as const)("%j is refused with its line", ([text, line]) => {
  expect(() => set(text)).toThrow(TextFault);
  expect(() => set(text)).toThrow(expect.objectContaining({ line }));
});

test("strings are read as TOML means them", () => {
  const value = (text: string): unknown => readTomlText(`[t]\nv = ${text}\n`).get(["t"]);
  expect(value(String.raw`"a\tbéq\\"`)).toEqual({ v: "a\tbéq\\" });
  expect(value(String.raw`'a\t"'`)).toEqual({ v: String.raw`a\t"` });
  expect(value(`"""two""\nlines"""""`)).toEqual({ v: `two""\nlines""` });
  expect(value("[true, 1_000, -2, 1.5]")).toEqual({ v: [true, 1000, -2, "1.5"] });
  expect(value(`{ "a b" = 1, c.d = '#' }`)).toEqual({ v: { "a b": 1, "c.d": "#" } });
});

test("whatever else a file has, it has afterwards, byte for byte", () => {
  const key = fc.stringMatching(/^[a-z]{1,6}$/);
  const value = fc.oneof(
    fc.string().map((text) => JSON.stringify(text).replaceAll("\u007f", "")),
    fc.array(fc.stringMatching(/^[\w ,\]#[]{0,6}$/)).map((list) => JSON.stringify(list)),
    fc.integer().map(String),
    fc.constantFrom("true", "'''\n[x]\n'''", "1979-05-27", "{ a = 1 }"),
  );
  const pair = fc
    .tuple(key, value, fc.constantFrom("", " # remark"))
    .map(([name, text, remark]) => `${name} = ${text}${remark}\n`);
  const section = fc
    .tuple(key, fc.array(pair, { maxLength: 3 }))
    .map(([name, pairs]) => `[mcp_servers.x${name}]\n${pairs.join("")}`);
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 2 }), fc.array(section, { maxLength: 3 }), (head, sections) => {
      const text = [head.join(""), ...sections].join("\n");
      const after = set(text);
      expect(after.startsWith(text)).toBe(true);
      expect(readTomlText(after).get(path)).toEqual(entry);
      expect(readTomlText(after).rest(path)).toBe(readTomlText(text).rest(path));
      // What is left of an empty text is an empty text.
      expect(readTomlText(after).remove(path).trimEnd()).toBe(text.trimEnd());
    }),
  );
});
