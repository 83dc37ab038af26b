import { expect, test } from "vitest";
import { parseRetryAfter } from "./retry-after.ts";

const now = Date.parse("2026-11-15T12:00:00Z");

test("seconds and dates are understood, nonsense is not, and nobody can ask for more than a day", () => {
  expect(parseRetryAfter("120", now)).toBe(120_000);
  expect(parseRetryAfter("Sun, 15 Nov 2026 12:01:00 GMT", now)).toBe(60_000);
  expect(parseRetryAfter("Sun, 15 Nov 2026 11:00:00 GMT", now)).toBe(0);
  expect(parseRetryAfter("99999999", now)).toBe(86_400_000);
  expect(parseRetryAfter("soon", now)).toBeUndefined();
  expect(parseRetryAfter(undefined, now)).toBeUndefined();
});
