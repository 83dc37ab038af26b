// A part of a long text is shown: what the edges split is hidden on both sides.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  StreamRedactor,
  redactPieces,
  redactText,
  redactWindow,
  redactionContextBytes,
} from "../../src/redaction/index.ts";
import { tokenFormats } from "../../src/redaction/rules/token-formats.ts";
import {
  cuts,
  inPieces,
  leaksOf,
  mixedText,
  noise,
  planted,
  plantedFormat,
  keyFile,
  wholeOf,
} from "./planted-secrets.ts";

const runs = { numRuns: 1_000 };
const part = fc.double({ min: 0, max: 1, noNaN: true });
const line = "an ordinary line of a log, 42 of them\n";
const filler = line.repeat(Math.ceil((2 * redactionContextBytes) / line.length));

describe("a window", () => {
  test("shows no part of a secret, wherever it begins and ends", () => {
    fc.assert(
      fc.property(planted, part, part, noise, (secret, one, other, words) => {
        const text = `${filler}${words}\n${wholeOf(secret)}${words}${filler}`;
        const middle = text.length - 2 * filler.length;
        // Edges near the secret, or inside it.
        const [from, to] = [one, other]
          .map((fraction) => filler.length - 40 + Math.floor(fraction * (middle + 80)))
          .toSorted((left, right) => left - right) as [number, number];
        const { text: output } = redactWindow({
          before: text.slice(from - redactionContextBytes, from),
          text: text.slice(from, to),
          after: text.slice(to, to + redactionContextBytes),
          startsInside: true,
          endsInside: true,
        });
        expect(leaksOf(secret.secret, output), JSON.stringify({ from, to, output })).toEqual([]);
      }),
      runs,
    );
  });

  test("shows nothing of a secret that is longer than the text around it", () => {
    const token = `ghp_${"aB3dE5".repeat(10_000)}`;
    const key = `-----BEGIN PRIVATE KEY-----\n${`${"aB3+/xYz".repeat(8)}\n`.repeat(900)}`;
    for (const secret of [token, key]) {
      const from = 20_000 + redactionContextBytes;
      const { text } = redactWindow({
        before: secret.slice(20_000, from),
        text: secret.slice(from, 40_000),
        after: secret.slice(40_000, 50_000),
        startsInside: true,
        endsInside: true,
      });
      expect(text).toBe("[redacted:cut]");
    }
  });

  test("of everything is redaction of the whole, and one without secrets is as it was", () => {
    fc.assert(
      fc.property(mixedText, (text) => {
        expect(redactWindow({ text })).toEqual(redactText(text));
      }),
      runs,
    );
    const window = {
      before: filler.slice(-redactionContextBytes),
      text: line,
      after: filler,
      startsInside: true,
    };
    expect(redactWindow(window)).toEqual({ text: line, count: 0 });
  });
});

describe("pieces of one text", () => {
  test("give the redacted text when they are put together", () => {
    fc.assert(
      fc.property(mixedText, cuts, (text, places) => {
        const pieces = redactPieces(inPieces(text, places));
        expect(pieces).toHaveLength(inPieces(text, places).length);
        expect(pieces.join("")).toBe(redactText(text).text);
      }),
      runs,
    );
  });
});

describe("a text that is cut off", () => {
  test("at its end shows no half of a secret", () => {
    fc.assert(
      fc.property(noise, planted, part, (words, secret, fraction) => {
        const whole = wholeOf(secret);
        const cut = whole.slice(0, Math.floor(fraction * whole.length));
        const stream = new StreamRedactor();
        const output = stream.push(`${words}\n${cut}`) + stream.end({ isCut: true });
        expect(leaksOf(secret.secret, output), JSON.stringify({ cut, output })).toEqual([]);
      }),
      runs,
    );
  });

  test("at its beginning shows no rest of a token or of a key", () => {
    const secrets = fc.oneof(...tokenFormats.map(plantedFormat), { arbitrary: keyFile, weight: 40 });
    fc.assert(
      fc.property(secrets, part, noise, (secret, fraction, words) => {
        const rest = secret.secret.slice(Math.floor(fraction * secret.secret.length)) + secret.after;
        // Less than a word of a key, and then one short line: that is any two words.
        fc.pre(!/^.{0,7}\n.{8,59}\n/.test(rest));
        const stream = new StreamRedactor({ startsInside: true });
        const output = stream.push(`${rest}\n${words}`) + stream.end();
        expect(leaksOf(secret.secret, output), JSON.stringify({ rest, output })).toEqual([]);
      }),
      runs,
    );
  });
});
