import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TextFault } from "./config-text.ts";
import { readJsonText } from "./json-text.ts";

const path = ["mcpServers", "holdfast"];
const entry = { command: "/bin/holdfast", args: ["mcp"] };

function set(text: string): string {
  return readJsonText(text).set(path, entry);
}

describe("an entry is put", () => {
  test("into nothing, and behind comments alone", () => {
    const expected = [
      "{",
      '  "mcpServers": {',
      '    "holdfast": {',
      '      "command": "/bin/holdfast",',
      '      "args": ["mcp"]',
      "    }",
      "  }",
      "}",
      "",
    ].join("\n");
    expect(set("")).toBe(expected);
    expect(set("\n")).toBe(expected);
    expect(set("// mine\n")).toBe(`// mine\n${expected}`);
  });

  test.for([
    ["an empty object", "{}", '{\n  "mcpServers": {'],
    ["an empty group", '{\n\t"mcpServers": {}\n}\n', '\t"mcpServers": {\n\t\t"holdfast": {\n\t\t\t"command"'],
    [
      "a group of comments",
      '{\n  "mcpServers": {\n    // none yet\n  }\n}\n',
      '// none yet\n    "holdfast": {\n',
    ],
    [
      "one line",
      '{"a":1,"mcpServers":{"b":{}}}',
      '{"a":1,"mcpServers":{"b":{}, "holdfast": { "command": "/bin/holdfast", "args": ["mcp"] }}}',
    ],
    [
      "one line with a trailing comma",
      '{"mcpServers":{"b":{},}}',
      '{"b":{}, "holdfast": { "command": "/bin/holdfast", "args": ["mcp"] },}}',
    ],
    [
      "CRLF",
      '{\r\n    "mcpServers": {\r\n        "b": {}\r\n    }\r\n}\r\n',
      '"b": {},\r\n        "holdfast": {\r\n            "command"',
    ],
    [
      "a remark behind the last",
      '{\n  "mcpServers": {\n    "b": {} // mine\n  }\n}',
      '"b": {}, // mine\n    "holdfast": {',
    ],
    [
      "a remark behind its comma",
      '{\n  "mcpServers": {\n    "b": {}, // mine\n  }\n}',
      '"b": {}, // mine\n    "holdfast": {',
    ],
  ])("into %s", ([, text = "", part = ""]) => {
    const after = set(text);
    expect(after).toContain(part);
    expect(readJsonText(after).get(path)).toEqual(entry);
    expect(readJsonText(after).rest(path)).toBe(readJsonText(text).rest(path));
  });

  test("in the place of another one, and nothing else moves", () => {
    const text =
      '{\n  "mcpServers": {\n    "a": { "x": 1 },\n    "holdfast": { "command": "old" }, // ours\n    "z": {}\n  }\n}\n';
    expect(set(text)).toBe(
      text.replace(
        '{ "command": "old" }',
        '{\n      "command": "/bin/holdfast",\n      "args": ["mcp"]\n    }',
      ),
    );
  });
});

test("a text that is no JSON object is refused with its line", () => {
  const faults: [string, number][] = [
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ["[]", 1],
    ['{\n  "mcpServers": []\n}', 2],
    ['{\n  "mcpServers": {},\n  "mcpServers": {}\n}', 3],
    ['{"a": ', 1],
  ];
  for (const [text, line] of faults) {
    expect(() => set(text), text).toThrow(TextFault);
    expect(() => set(text), text).toThrow(expect.objectContaining({ line }));
  }
});

test("removing takes its comma and its lines, and leaves remarks of others", () => {
  const remove = (text: string): string => readJsonText(text).remove(path);
  expect(remove('{"mcpServers":{"holdfast":{},"b":1}}')).toBe('{"mcpServers":{"b":1}}');
  expect(remove('{"mcpServers":{"b":1, "holdfast":{}}}')).toBe('{"mcpServers":{"b":1}}');
  expect(remove('{\n  "mcpServers": {\n    "holdfast": {}\n  }\n}')).toBe('{\n  "mcpServers": {\n  }\n}');
  expect(
    remove('{\n  "mcpServers": {\n    // first\n    "holdfast": {},\n    // second\n    "b": 1\n  }\n}'),
  ).toBe('{\n  "mcpServers": {\n    // first\n    // second\n    "b": 1\n  }\n}');
  expect(remove('{"a": 1}')).toBe('{"a": 1}');
});

interface Style {
  readonly unit: string;
  readonly lineBreak: string;
  readonly hasTrailingCommas: boolean;
  readonly remark: string;
}

const style = fc.record({
  unit: fc.constantFrom("  ", "    ", "\t"),
  lineBreak: fc.constantFrom("\n", "\r\n"),
  hasTrailingCommas: fc.boolean(),
  remark: fc.constantFrom("", " // remark, with a comma }", " /* block { */"),
});

/** An object as a person might have written it. */
function written(value: unknown, look: Style, indent = ""): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  const inner = indent + look.unit;
  const properties = Object.entries(value).map(
    ([key, part]) => `${inner}${JSON.stringify(key)}: ${written(part, look, inner)}`,
  );
  if (properties.length === 0) return "{}";
  const last = properties.length - 1;
  const lines = properties.map(
    (line, index) => `${line}${index < last || look.hasTrailingCommas ? "," : ""}${look.remark}`,
  );
  return ["{", ...lines, `${indent}}`].join(look.lineBreak);
}

const server = fc.record({ command: fc.string(), args: fc.array(fc.string(), { maxLength: 3 }) });
const others = fc.dictionary(
  fc.string().filter((key) => key !== "holdfast" && key !== "__proto__"),
  server,
  { minKeys: 1, maxKeys: 4 },
);

test("whatever else a file has, it has afterwards, byte for byte", () => {
  const settings = fc.record({
    theme: fc.string(),
    mcpServers: others,
    last: fc.anything().filter((value) => value === null || typeof value === "boolean"),
  });
  fc.assert(
    fc.property(settings, style, (value, look) => {
      const text = written(value, look);
      const after = set(text);
      expect(readJsonText(after).get(path)).toEqual(entry);
      expect(readJsonText(after).rest(path)).toBe(readJsonText(text).rest(path));
      expect(readJsonText(after).remove(path)).toBe(text);
      // A second time changes nothing.
      expect(set(after)).toBe(after);
    }),
  );
});
