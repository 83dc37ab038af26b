import { expect, test } from "vitest";
import { LogPrinter } from "./log-printer.ts";
import { RawPrinter } from "./raw-printer.ts";

const at = Date.parse("2026-01-02T03:04:05.678Z");
const bytes = (text: string): Buffer => Buffer.from(text);

test("lines come whole although the streams come mixed", () => {
  const printer = new LogPrinter({ timestamps: false });
  expect(printer.push("stdout", bytes("one, "), at)).toBe("");
  expect(printer.push("stderr", bytes("error\n"), at)).toBe("error\n");
  expect(printer.push("stdout", bytes("two\nthr"), at)).toBe("one, two\n");
  expect(printer.end()).toBe("thr\n");
});

test("a character in two parts is one character", () => {
  const printer = new LogPrinter({ timestamps: false });
  const [first, second] = [bytes("ü\n").subarray(0, 1), bytes("ü\n").subarray(1)];
  expect(printer.push("stdout", first, at) + printer.push("stdout", second, at)).toBe("ü\n");
});

test("an unfinished line is shown after a pause and then continued", () => {
  const printer = new LogPrinter({ timestamps: false });
  printer.push("stdout", bytes("name? "), at);
  expect(printer.pause()).toBe("name? ");
  expect(printer.pause()).toBe("");
  expect(printer.push("stdout", bytes("Ada\n"), at)).toBe("Ada\n");
  printer.push("stdout", bytes("10%"), at);
  expect(printer.pause()).toBe("10%");
  expect(printer.push("stdout", bytes("\r100%\n"), at)).toBe("\n100%\n");
});

test("another stream does not write into a line that is shown in part", () => {
  const printer = new LogPrinter({ timestamps: false });
  printer.push("stdout", bytes("half"), at);
  expect(printer.pause()).toBe("half");
  expect(printer.push("stderr", bytes("error\n"), at)).toBe("\nerror\n");
  expect(printer.push("stdout", bytes(" done\n"), at)).toBe("half done\n");
});

test("no line goes on behind what is missing; nothing of it is lost", () => {
  const printer = new LogPrinter({ timestamps: false });
  printer.push("stdout", bytes("before"), at);
  printer.push("stderr", bytes("ü").subarray(0, 1), at);
  expect(printer.end()).toBe("before\n\ufffd\n");
  expect(printer.push("stdout", bytes("after\n"), at)).toBe("after\n");
  expect(printer.push("stderr", bytes("ü").subarray(1), at)).toBe("");
  expect(printer.end()).toBe("\ufffd\n");
  printer.push("stdout", bytes("out"), at);
  printer.push("stderr", bytes("name? "), at);
  expect(printer.pause()).toBe("out\nname? ");
  printer.push("stderr", bytes("Ada"), at);
  expect(printer.end()).toBe("Ada\nout\n");
  expect(printer.end()).toBe("");
});

test("times stand before each line: when its first byte was written", () => {
  const printer = new LogPrinter({ timestamps: true });
  printer.push("stdout", bytes("a"), at);
  expect(printer.push("stdout", bytes("b\nc\n"), at + 1_000)).toBe(
    "2026-01-02T03:04:05.678Z ab\n2026-01-02T03:04:06.678Z c\n",
  );
});

test("a line that never ends does not fill the memory", () => {
  const printer = new LogPrinter({ timestamps: false });
  let printed = "";
  for (let round = 0; round < 100; round += 1)
    printed += printer.push("stdout", bytes("x".repeat(10_000)), at);
  expect(printed.length).toBeGreaterThan(900_000);
});

test("raw is byte for byte; with times, one before each line", () => {
  const raw = bytes("\u001b[31ma\r\n\u00ff");
  expect(new RawPrinter({ timestamps: false }).push(raw, at)).toBe(raw);
  const timed = new RawPrinter({ timestamps: true });
  const text = [timed.push(bytes("a\nb"), at), timed.push(bytes("c\n"), at)]
    .map((part) => Buffer.from(part))
    .join("");
  expect(text).toBe("2026-01-02T03:04:05.678Z a\n2026-01-02T03:04:05.678Z bc\n");
});
