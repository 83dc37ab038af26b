// The work grows with the text and with nothing else: characters that rules read are counted, not timed. Texts are made of
// beginnings of secrets, over and over, which is the worst that a text can do.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { RedactionRun } from "../../src/redaction/redaction-run.ts";
import { ruleSet } from "../../src/redaction/rules/rule-set.ts";

/** Twice the most that minutes of random search have found; a rule that reads on without a bound exceeds it. */
const mostReads = 2_000;
/** A title that never ends is the longest thing that is waited for. */
const mostHeldLength = 16_384;
const shortLength = 20_000;

const beginnings = [...new Set(ruleSet().rules.flatMap((rule) => rule.beginnings))];
const surroundings = [
  "://a:",
  "@",
  "KEY=abc",
  "export KEY=",
  "# x\n",
  "-----BEGIN PRIVATE KEY-----",
  "A=B\n",
];
const fillings = [
  `${"A".repeat(40)}\n`,
  "-----",
  "\\n",
  "Foo: bar\n",
  "AAAAAAAA",
  "a1",
  " ",
  "\n",
  '"',
  "=",
  ".",
];
const hidden = ["\u200b", "\u001b[m", "\u001b]", "\r"];
const parts = [...beginnings, ...surroundings, ...fillings, ...hidden];
const unit = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 5 }).map((some) => some.join(""));

interface Work {
  readonly reads: number;
  /** The most that was pushed and not yet told, after any piece. */
  readonly mostHeld: number;
}

function workOf(text: string, pieceLength: number): Work {
  let told = 0;
  let mostHeld = 0;
  const run = new RedactionRun(ruleSet(), {
    keep: (_text, length) => (told += length),
    hide: (_kind, length) => (told += length),
  });
  for (let at = 0; at < text.length; at += pieceLength) {
    run.push(text.slice(at, at + pieceLength));
    mostHeld = Math.max(mostHeld, Math.min(text.length, at + pieceLength) - told);
  }
  run.finish("closed");
  expect(told).toBe(text.length);
  return { reads: run.charactersRead, mostHeld };
}

/** What is not as it should be, or nothing. */
function faultOf(repeated: string, pieceLength: number): string | undefined {
  const short = repeated.repeat(Math.ceil(shortLength / repeated.length));
  const [one, four] = [workOf(short, pieceLength), workOf(short.repeat(4), pieceLength)];
  const isLinear = four.reads < 4.5 * one.reads + shortLength;
  const isBounded = one.reads / short.length < mostReads && four.mostHeld < mostHeldLength;
  return isLinear && isBounded ? undefined : JSON.stringify({ repeated, one, four });
}

test("four times the text is four times the work, for every beginning", () => {
  expect(parts.length).toBeGreaterThan(250);
  expect(parts.map((part) => faultOf(part, Infinity)).filter((fault) => fault !== undefined)).toEqual([]);
});

test("four times the text is four times the work, for any of them together, in any pieces", () => {
  fc.assert(
    fc.property(unit, fc.constantFrom(7, 1_000, Infinity), (repeated, pieceLength) => {
      expect(faultOf(repeated, pieceLength)).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});

test("ordinary text is hardly read twice", () => {
  const text = "const value = read(path); // see https://host.example/a/b, and 3 more\n".repeat(1_000);
  expect(workOf(text, 65_536).reads).toBeLessThan(text.length);
});
