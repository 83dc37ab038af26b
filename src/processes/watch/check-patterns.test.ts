import { expect, test } from "vitest";
import { checkPatterns } from "./check-patterns.ts";
import { PatternSet } from "./pattern-set.ts";

const refusal = expect.objectContaining({ code: "INVALID_ARGUMENT" }) as unknown;

function refusalOf(...regexes: string[]): unknown {
  try {
    return checkPatterns(regexes);
  } catch (error) {
    return error;
  }
}

test.each(["(a)\\1", "(?=a)", "(?<!a)b", "(", "[z-a]", "a{2,1}", "a**", "\\"])(
  "%s is no pattern that can be used",
  (regex) => {
    expect(refusalOf(regex)).toEqual(refusal);
  },
);

test("patterns that unfold without bounds are refused, quickly", () => {
  const startMs = performance.now();
  for (const regex of [
    "[a-z]{1,1000}".repeat(70),
    "(\\p{L}{30}){30}".repeat(60),
    "((x{1,1000})|(y{1,1000})){1}".repeat(30),
  ])
    expect(refusalOf(regex), regex.slice(0, 20)).toEqual(refusal);
  expect(refusalOf(...Array.from({ length: 20 }, () => "(x?){100}x{100}")), "together").toEqual(refusal);
  expect(performance.now() - startMs).toBeLessThan(500);
});

test("what people and models write is taken", () => {
  const usual = [
    "(a+)+$",
    "error.{0,200}timeout",
    "(?i)\\b(fatal|panic|exception)\\b",
    "^\\[\\d{4}-\\d\\d-\\d\\d[T ][\\d:.]+Z?\\] +(ERROR|WARN)",
    "[^}]{1,500}\\}",
    "\\{\\d+\\}",
    "listening on (https?://)?[\\w.-]+:\\d{2,5}",
  ];
  expect(checkPatterns(usual)).toBeLessThan(3_000);
});

test("patterns made to be slow cost linear time", () => {
  const hostile = [
    "(a+)+$",
    "(a|aa)+$",
    "(.*a){20}",
    "(x+x+)+y",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    ".*.*.*.*.*=.*",
  ];
  const set = new PatternSet(hostile.map((regex) => ({ regex })));
  const text = `${"a".repeat(30_000)}!`;
  const timeOf = (line: string): number => {
    const startMs = performance.now();
    set.match(line);
    return performance.now() - startMs;
  };
  timeOf(text);
  // A backtracking engine needs longer than the universe has been there.
  expect(timeOf(text + text)).toBeLessThan(2_000);
});

test("a set tells which of its patterns a line has; what does not match in a block matches in none of its lines", () => {
  const set = new PatternSet([
    { text: "a.b" },
    { regex: "^start" },
    { regex: "end$" },
    { regex: "(?P<n>\\d+)ms" },
    { regex: "(?i)ERROR" },
  ]);
  expect(set.match("start a.b end")).toEqual([0, 1, 2]);
  expect(set.match("axb starts 12ms")).toEqual([3]);
  expect(set.match("an Error")).toEqual([4]);
  for (const [block, may] of [
    ["nothing\nhere\n", false],
    ["one\nstart two\n", true],
    ["the end\nof it\n", true],
    ["x\na.b\n", true],
  ] as const) {
    expect(set.mayMatch(block), block).toBe(may);
  }
});

test.each(["\\Astart", "end\\z", "(?-m)^start"])("%s is not asked of several lines at once", (regex) => {
  const set = new PatternSet([{ regex }]);
  expect(set.mayMatch("other\nstart to end\nother\n")).toBe(true);
});

test("the same group name in two patterns is no obstacle", () => {
  const set = new PatternSet([{ regex: "(?P<code>\\d+)" }, { regex: "(?P<code>[a-z]+)" }]);
  expect(set.match("12 ab")).toEqual([0, 1]);
  expect(set.mayMatch("")).toBe(true);
});
