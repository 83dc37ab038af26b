import { expect, test } from "vitest";
import { mostOutputBytes, outputInputSchema } from "./output.ts";

function refusal(question: object): string {
  const { error } = outputInputSchema.safeParse({ id: "p_1234", head: 10, tail: 10, ...question });
  return error?.issues.map(({ message }) => message).join("; ") ?? "";
}

test("head and tail are refused together with what they would have to ignore, and it is named", () => {
  expect(refusal({})).toBe("");
  expect(refusal({ from: 5, stream: "stderr", limitBytes: 5 })).toBe("");
  expect(refusal({ before: 9, line: 2, limitLines: 3 })).toMatch(/combined with line, before, limitLines$/);
  expect(refusal({ tailLines: 2 })).toMatch(/combined with tailLines$/);
  expect(refusal({ tailBytes: 2, pieces: true })).toMatch(/combined with tailBytes, pieces$/);
  expect(refusal({ format: "raw" })).toMatch(/combined with format raw$/);
});

test("head and tail together are no larger than an answer may be", () => {
  expect(refusal({ head: mostOutputBytes - 10 })).toBe("");
  expect(refusal({ head: mostOutputBytes - 9 })).toContain(String(mostOutputBytes));
});
