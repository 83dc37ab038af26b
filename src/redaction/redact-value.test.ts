import { expect, test } from "vitest";
import { redactValue } from "./redact-value.ts";

const text = "postgres://me:hunter2@host/";
const redacted = "postgres://me:[redacted:url-password]@host/";

test("every text is redacted, at any depth; all else stays", () => {
  const at = new Date(0);
  const bytes = new Uint8Array([1]);
  const value = {
    command: ["psql", text],
    nested: { [text]: text, at, bytes, count: 3, none: null, is: true },
  };
  expect(redactValue(value)).toEqual({
    command: ["psql", redacted],
    nested: { [text]: redacted, at, bytes, count: 3, none: null, is: true },
  });
  expect(value.command[1]).toBe(text);
});

test("a value without secrets is the same value", () => {
  const value = { a: ["b", { c: "d" }] };
  expect(redactValue(value)).toBe(value);
  expect(redactValue(undefined)).toBeUndefined();
});

test("an error keeps its kind, and loses the secret also in stack, cause and fields", () => {
  const error = Object.assign(new TypeError(`cannot reach ${text}`, { cause: new Error(text) }), {
    url: text,
  });
  const copy = redactValue(error);
  expect(copy).toBeInstanceOf(TypeError);
  expect(copy).toMatchObject({
    message: `cannot reach ${redacted}`,
    url: redacted,
    cause: { message: redacted },
  });
  expect(copy.stack).toContain(redacted);
  expect(JSON.stringify([copy.stack, copy.message, copy.url])).not.toContain("hunter2");
});

test("what contains itself is no trap", () => {
  const value: { text: string; self?: unknown } = { text };
  value.self = value;
  const copy = redactValue(value);
  expect(copy.text).toBe(redacted);
  expect(copy.self).toBe(copy);
});
