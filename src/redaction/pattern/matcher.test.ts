import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Matcher } from "./matcher.ts";
import { characterSet, parsePattern } from "./parse-pattern.ts";

/** Whether the whole text matches; what stands for "could still match" is checked on the way. */
function matches(matcher: Matcher, text: string): boolean {
  let state = matcher.start;
  for (let index = 0; index < text.length; index++) state = matcher.step(state, text.charCodeAt(index));
  return matcher.accepts(state);
}

const patterns = [
  "abc",
  "[a-c]{2,4}",
  "a?b*c+",
  "(?:ab|a|bc){1,3}c",
  "[^a\\s]{2}",
  "\\d{1,3}\\.[a-c]+",
  "a{0}b{2,}",
  "(?:a|)(?:b|c{2})",
  "[-+.]a",
];

describe("Matcher", () => {
  test.for(patterns)("%s matches what the regular expression of the same form does", (pattern) => {
    const matcher = new Matcher(pattern);
    const expression = new RegExp(`^(?:${pattern})$`);
    let count = 0;
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom("a", "b", "c", ".", "1", "-", " ", "é") }),
      fc.stringMatching(expression),
    );
    fc.assert(
      fc.property(text, (one) => {
        count += expression.test(one) ? 1 : 0;
        expect(matches(matcher, one), JSON.stringify(one)).toBe(expression.test(one));
      }),
      { numRuns: 500 },
    );
    expect(count).toBeGreaterThan(50);
  });

  test("takes both cases when it is told to", () => {
    expect(matches(new Matcher("basic [a-c]", { ignoreCase: true }), "BaSic B")).toBe(true);
    expect(matches(new Matcher("basic"), "BASIC")).toBe(false);
  });

  test("knows when nothing can match any more", () => {
    const matcher = new Matcher("ab+");
    const after = (text: string) =>
      text.split("").reduce((at, one) => matcher.step(at, one.charCodeAt(0)), matcher.start);
    expect(after("ab")).not.toBe(Matcher.dead);
    expect(after("aa")).toBe(Matcher.dead);
    expect(after("aab")).toBe(Matcher.dead);
  });
});

test("what the notation does not have is refused", () => {
  for (const source of ["(a)", "a{", "a{x}", "(?:a", "[a", "a)", "\\"])
    expect(() => parsePattern(source)).toThrow(SyntaxError);
  expect(() => characterSet("ab")).toThrow(/not one class/);
});
