import { expect, test } from "vitest";
import { createRedactor } from "./index.ts";

const text = "postgres://me:hunter2@host/";
const stars = "postgres://me:*******@host/";
const redacted = "postgres://me:[redacted:url-password]@host/";

test("redaction that is on hides secrets at every door", () => {
  const redactor = createRedactor({ enabled: true });
  expect(redactor.isEnabled).toBe(true);
  expect(redactor.line(text)).toBe(redacted);
  expect(redactor.text(text)).toEqual({ text: redacted, count: 1 });
  expect(redactor.value({ argv: ["psql", text] })).toEqual({ argv: ["psql", redacted] });
  expect(redactor.window({ before: "postgres://me:hun", text: "ter2@host/" })).toEqual({
    text: "[redacted:url-password]@host/",
    count: 1,
  });
  expect(redactor.pieces(["postgres://me:hun", "ter2@host/"])).toEqual([
    "postgres://me:[redacted:url-password]",
    "@host/",
  ]);
  const stream = redactor.stream();
  expect(stream.push(Buffer.from(text)) + stream.end()).toBe(redacted);
});

test("bytes without a secret are the same bytes, also where they are no text", () => {
  const redactor = createRedactor({ enabled: true });
  const binary = Buffer.from([0, 0xff, 0xc3, 0x1b, 0x5b, 0x80]);
  expect(redactor.bytes({ before: Buffer.from("a"), text: binary })).toBe(binary);
  expect(Buffer.from(redactor.bytes({ text: Buffer.from(text) })).toString()).toBe(stars);
  const stream = redactor.byteStream();
  const told = [stream.push(Buffer.from(text)), stream.pause(), stream.end()];
  expect(Buffer.concat(told).toString()).toBe(stars);
});

test("redaction that is off gives back what it got", () => {
  const redactor = createRedactor({ enabled: false });
  expect(redactor.isEnabled).toBe(false);
  expect(redactor.line(text)).toBe(text);
  expect(redactor.text(text)).toEqual({ text, count: 0 });
  expect(redactor.value({ text })).toEqual({ text });
  expect(redactor.window({ before: "a", text: Buffer.from(text) })).toEqual({ text, count: 0 });
  expect(redactor.bytes({ text: Buffer.from(text) })).toEqual(Buffer.from(text));
  expect(redactor.byteStream().push(Buffer.from(text))).toEqual(Buffer.from(text));
  expect(redactor.pieces(["a", text])).toEqual(["a", text]);
  const stream = redactor.stream();
  const bytes = Buffer.from("\ufeffé");
  expect(
    stream.push(bytes.subarray(0, 4)) + stream.push(bytes.subarray(4)) + stream.push(text) + stream.end(),
  ).toBe(`\ufeffé${text}`);
});

test("nobody can turn it off afterwards", () => {
  const redactor = createRedactor({ enabled: true });
  expect(() => Object.assign(redactor, { line: (line: string) => line, isEnabled: false })).toThrow(
    TypeError,
  );
  expect(createRedactor({ enabled: true }).line(text)).toBe(redacted);
});
