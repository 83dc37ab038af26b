// Secrets in ordinary text, with escape sequences inside and cuts anywhere: none may come through, and nothing else may change.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { StreamRedactor, redactText } from "../../src/redaction/index.ts";
import {
  cuts,
  disturb,
  disturbances,
  inPieces,
  leaksOf,
  mixedText,
  noise,
  planted,
  strip,
  wholeOf,
} from "./planted-secrets.ts";

const runs = { numRuns: 2_000 };

function streamed(pieces: readonly (string | Uint8Array)[]): string {
  const stream = new StreamRedactor();
  return pieces.map((piece) => stream.push(piece)).join("") + stream.end();
}

describe("redaction", () => {
  test("lets no secret through, whole or in part, with escapes inside", () => {
    fc.assert(
      fc.property(noise, planted, noise, disturbances, (left, secret, right, at) => {
        const text = `${left}\n${disturb(wholeOf(secret), at)}${right}`;
        const { text: output, count } = redactText(text);
        const seen = JSON.stringify({ text, output });
        expect(leaksOf(secret.secret, output), seen).toEqual([]);
        expect(leaksOf(secret.secret, strip(output)), seen).toEqual([]);
        expect(count, seen).toBeGreaterThan(0);
      }),
      runs,
    );
  });

  test("of a stream is redaction of the whole, wherever it is cut, as text and as bytes", () => {
    fc.assert(
      fc.property(mixedText, cuts, (text, places) => {
        const whole = redactText(text).text;
        const bytes = inPieces(Buffer.from(text).toString("latin1"), places);
        expect(streamed(inPieces(text, places)), JSON.stringify(inPieces(text, places))).toBe(whole);
        expect(streamed(bytes.map((piece) => Buffer.from(piece, "latin1"))), JSON.stringify(bytes)).toBe(
          whole,
        );
      }),
      runs,
    );
  });

  test("of a stream of single characters is redaction of the whole", () => {
    fc.assert(
      fc.property(mixedText, (text) => {
        expect(streamed(text.split("")), JSON.stringify(text)).toBe(redactText(text).text);
      }),
      { numRuns: 500 },
    );
  });

  test("changes nothing when it is done again", () => {
    fc.assert(
      fc.property(mixedText, (text) => {
        const once = redactText(text).text;
        expect(redactText(once), JSON.stringify({ text, once })).toEqual({ text: once, count: 0 });
      }),
      runs,
    );
  });

  test("changes nothing where there is no secret", () => {
    const plain = fc.oneof(noise, fc.string({ unit: "binary", maxLength: 200 }), fc.string());
    fc.assert(
      fc.property(plain, disturbances, cuts, (words, at, places) => {
        const text = disturb(words, at);
        expect(redactText(text)).toEqual({ text, count: 0 });
        expect(streamed(inPieces(text, places))).toBe(text);
      }),
      runs,
    );
  });
});
