import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  escapeValue,
  formatLine,
  linesFrom,
  parseText,
  textNumber,
  textValue,
  textValues,
  unescapeValue,
} from "./text-format.ts";

describe("values", () => {
  test("any text survives", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (value) => {
        const line = formatLine("key", value);
        expect(line.split("\n")).toHaveLength(2);
        expect(parseText(line)).toEqual([["key", value]]);
      }),
    );
  });

  test("only control bytes, % and 0x7f are escaped, in upper case", () => {
    expect(escapeValue("a\nb\t%\u007fé 日本")).toBe("a%0Ab%09%25%7Fé 日本");
  });

  test("an escape may be one byte of a longer character; a malformed one stands for itself", () => {
    expect(unescapeValue("%C3%A9")).toBe("é");
    expect(unescapeValue("100% %zz %4")).toBe("100% %zz %4");
    expect(unescapeValue("%6a%6A")).toBe("jj");
  });
});

describe("lines", () => {
  const lines = parseText("arg one\nnumber 12\narg  two\n\nempty \nflag\nbad 1x\nbig 99999999999999999999\n");

  test("keys may repeat, values keep their spaces", () => {
    expect(textValues(lines, "arg")).toEqual(["one", " two"]);
    expect(textValue(lines, "arg")).toBe("one");
    expect(textValue(lines, "empty")).toBe("");
    expect(textValue(lines, "flag")).toBe("");
    expect(textValue(lines, "none")).toBeUndefined();
  });

  test("a number is whole and exact, or is none", () => {
    expect(textNumber(lines, "number")).toBe(12);
    expect(textNumber(lines, "bad")).toBeUndefined();
    expect(textNumber(lines, "big")).toBeUndefined();
    expect(textNumber(parseText("n -3\n"), "n")).toBe(-3);
  });

  test("the padding of a record is no line", () => {
    expect(parseText(`pid 1\n${" ".repeat(200)}\n`)).toEqual([["pid", "1"]]);
  });

  test("linesFrom begins at a key", () => {
    expect(linesFrom(parseText("a 1\nb 2\na 3\n"), "b")).toEqual([
      ["b", "2"],
      ["a", "3"],
    ]);
    expect(linesFrom(lines, "none")).toEqual([]);
  });
});
