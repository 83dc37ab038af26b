import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applySgr, paletteColour, plainStyle } from "~/processes/output/sgr.ts";
import { readLine, type StyledText } from "~/processes/output/styled-line.ts";

function spans(line: string): [string, object][] {
  return readLine(line, plainStyle).spans.map(({ text, style }: StyledText) => [text, style]);
}

function textOf(line: string): string {
  return readLine(line, plainStyle)
    .spans.map((span) => span.text)
    .join("");
}

describe("colours", () => {
  test("text between sequences has the style in force", () => {
    expect(spans("a\u001b[1;31mb\u001b[0mc")).toEqual([
      ["a", {}],
      ["b", { bold: true, foreground: 1 }],
      ["c", {}],
    ]);
  });

  test("a style goes on into the next line", () => {
    const first = readLine("\u001b[4;92mx", plainStyle);
    expect(first.style).toEqual({ underline: true, foreground: 10 });
    expect(readLine("y\u001b[m", first.style)).toEqual({
      spans: [{ text: "y", style: { underline: true, foreground: 10 } }],
      style: {},
    });
  });

  test.each([
    ["38;5;208", { foreground: 208 }],
    ["48;2;1;2;255", { background: "#0102ff" }],
    ["38:2:1:2:3", { foreground: "#010203" }],
    ["38;5;999", {}],
    ["38;2;1", {}],
    ["38", {}],
    ["1;2;3;7;8;9", { bold: true, dim: true, italic: true, inverse: true, hidden: true, strike: true }],
    ["101;37", { background: 9, foreground: 7 }],
    ["4:3", { underline: true }],
    ["?25", {}],
    [">4;1", {}],
    ["999999999999", {}],
    ["", {}],
  ])("CSI %s m", (parameters, style) => {
    expect(applySgr(plainStyle, parameters)).toEqual(style);
  });

  test("each part is turned off by its own number", () => {
    const all = applySgr(plainStyle, "1;3;4;7;9;31;42");
    expect(applySgr(all, "22;23;24;27;29;39;49")).toEqual({});
    expect(applySgr(all, "39")).toEqual({ ...all, foreground: undefined });
    expect(applySgr(all, "4:0")).not.toHaveProperty("underline");
  });

  test("the palette", () => {
    expect([16, 21, 196, 231, 232, 255].map(paletteColour)).toEqual([
      "#000000",
      "#0000ff",
      "#ff0000",
      "#ffffff",
      "#080808",
      "#eeeeee",
    ]);
  });
});

describe("lines that were drawn", () => {
  test("a progress bar is told as it ended", () => {
    expect(textOf("10 %\r50 %\r100 %")).toBe("100 %");
    expect(textOf("long text\rnew\u001b[K")).toBe("new");
    expect(textOf("abc\b\bX")).toBe("aXc");
    expect(textOf("\u001b[2K\u001b[1Gdone")).toBe("done");
    expect(textOf("a\u001b[3Cb")).toBe("a   b");
    expect(textOf("x\r\n".slice(0, -1))).toBe("x");
  });

  test("tabs go to the next column of eight", () => {
    expect(textOf("a\tb")).toBe(`a${" ".repeat(7)}b`);
    expect(textOf("\u001b[1m12345678\tb")).toBe(`12345678${" ".repeat(8)}b`);
    expect(textOf("\u001b[1mab\u001b[0m\tc\td")).toBe(`ab${" ".repeat(6)}c${" ".repeat(7)}d`);
  });
});

describe("hostile text", () => {
  test("titles, clipboard writes, links and other strings leave nothing", () => {
    expect(textOf("a\u001b]0;title\u0007b\u001b]52;c;aGk=\u001b\\c\u001b]8;;http://x\u001b\\d")).toBe("abcd");
    expect(textOf("\u001bPq#0;2;0;0;0\u001b\\x\u009d0;t\u009cy")).toBe("xy");
    expect(textOf("\u001b]0;never ends")).toBe("");
  });

  test("markup is text", () => {
    expect(spans("<img src=x onerror=alert(1)>")).toEqual([["<img src=x onerror=alert(1)>", {}]]);
  });

  test("marks that turn the direction of reading are shown by their number", () => {
    expect(textOf("rm \u202etxt.exe\u2066")).toBe("rm \\u202etxt.exe\\u2066");
  });

  test("whatever comes, no control character is left, and it ends soon", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom(
        "\u001b[",
        "\u001b]",
        "\u009b",
        "9999999C",
        "K",
        "m",
        ";",
        "38;5;",
        "\r",
        "\b",
        "\t",
        "@",
        "P",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const shown = textOf(pieces.join("").replaceAll("\n", ""));
        // eslint-disable-next-line no-control-regex -- what must not be there
        expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
        expect(shown.length).toBeLessThan(20_000);
      }),
    );
  });
});
