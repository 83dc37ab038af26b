import * as fc from "fast-check";
import { expect, test } from "vitest";
import { TextFault } from "./config-text.ts";
import { readYamlText } from "./yaml-text.ts";

const path = ["mcp_servers", "holdfast"];
const entry = { command: "/bin/holdfast", args: ["mcp"], env: { HOLDFAST_HOME: "/h" } };
const lines = [
  "  holdfast:",
  '    command: "/bin/holdfast"',
  '    args: ["mcp"]',
  "    env:",
  '      HOLDFAST_HOME: "/h"',
].join("\n");

function set(text: string): string {
  return readYamlText(text).set(path, entry);
}

test.for([
  ["nothing", "", `mcp_servers:\n${lines}\n`],
  ["comments", "# mine\n", `# mine\nmcp_servers:\n${lines}\n`],
  ["a file without the group", "a: 1\n", `a: 1\nmcp_servers:\n${lines}\n`],
  ["a file without a last break", "a: 1", `a: 1\nmcp_servers:\n${lines}`],
  ["an empty group", "mcp_servers:\nz: 1 # end\n", `mcp_servers:\n${lines}\nz: 1 # end\n`],
  ["a group of braces", "mcp_servers: {}\nz: 1\n", `mcp_servers:\n${lines}\nz: 1\n`],
  ["a null group", "mcp_servers: ~\nz: 1\n", `mcp_servers: \n${lines}\nz: 1\n`],
  [
    "a group with others",
    "mcp_servers:\n  time:\n    command: uvx # c\n    args:\n    - a\n\n# about z\nz: |\n  text\n",
    `mcp_servers:\n  time:\n    command: uvx # c\n    args:\n    - a\n${lines}\n\n# about z\nz: |\n  text\n`,
  ],
  [
    "a group at the end with a long text",
    "mcp_servers:\n  t:\n    x: |\n      a\n\n      b\n",
    `mcp_servers:\n  t:\n    x: |\n      a\n\n      b\n${lines}\n`,
  ],
])("an entry is put into %s", ([, text = "", expected = ""]) => {
  expect(set(text)).toBe(expected);
  expect(set(set(text))).toBe(set(text));
});

test("the indentation of the others and CRLF are kept; a flow map gets it inside", () => {
  expect(set("mcp_servers:\r\n    a: {x: 1}\r\nz: 1\r\n")).toBe(
    'mcp_servers:\r\n    a: {x: 1}\r\n    holdfast:\r\n      command: "/bin/holdfast"\r\n      args: ["mcp"]\r\n      env:\r\n        HOLDFAST_HOME: "/h"\r\nz: 1\r\n',
  );
  const flow = set("mcp_servers: {a: {x: 1}}\n");
  expect(flow).toMatch(/^mcp_servers: \{a: \{x: 1\}, holdfast: /);
  expect(readYamlText(flow).get(path)).toEqual(entry);
});

test("another entry is replaced in its place, and removed with its lines", () => {
  const text = `a: 1\nmcp_servers:\n  first: {x: 1}\n  # ours\n  holdfast:\n    command: old\n    args: [\n      mcp]\n  last: {y: 2} # keep\n`;
  expect(set(text)).toBe(`a: 1\nmcp_servers:\n  first: {x: 1}\n  # ours\n${lines}\n  last: {y: 2} # keep\n`);
  expect(readYamlText(text).remove(path)).toBe(
    "a: 1\nmcp_servers:\n  first: {x: 1}\n  # ours\n  last: {y: 2} # keep\n",
  );
  expect(readYamlText(`mcp_servers:\n${lines}\nz: 1\n`).remove(path)).toBe("mcp_servers: {}\nz: 1\n");
});

test.for([
  ["a: [1\nb: 2\n", 2],
  ["a: 1\n---\nb: 2\n", 2],
  ["- a\n", 1],
  ["x: &a {}\nmcp_servers: *a\n", 2],
  ["mcp_servers: [a]\n", 1],
] as const)("%j is refused with its line", ([text, line]) => {
  expect(() => set(text)).toThrow(TextFault);
  expect(() => set(text)).toThrow(expect.objectContaining({ line }));
});

test("whatever else a file has, it has afterwards, byte for byte", () => {
  const name = fc.stringMatching(/^[a-z]{1,8}$/).filter((word) => word !== "holdfast");
  const servers = fc.uniqueArray(
    fc.tuple(name, fc.string({ maxLength: 8 }), fc.constantFrom("", " # remark", "\n    # below")),
    {
      minLength: 1,
      maxLength: 4,
      selector: ([key]) => key,
    },
  );
  fc.assert(
    fc.property(
      servers,
      fc.boolean(),
      fc.constantFrom("", "# above\n", "GOOSE_MODE: auto\n"),
      fc.constantFrom("", "\n# end\n", "zz: 1\n"),
      (list, isLast, head, tail) => {
        const body = list
          .map(([key, text, remark]) => `  ${key}:\n    command: ${JSON.stringify(text)}${remark}\n`)
          .join("");
        const text = `${head}${isLast ? "aa: 1\n" : ""}mcp_servers:\n${body}${tail}`;
        const after = set(text);
        expect(readYamlText(after).get(path)).toEqual(entry);
        expect(readYamlText(after).rest(path)).toBe(readYamlText(text).rest(path));
        expect(readYamlText(after).remove(path)).toBe(text);
      },
    ),
  );
});
