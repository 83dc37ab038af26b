// Bytes keep their number and their places: a star stands for each byte of a secret, and everything else is as it came.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ByteRedactor, redactBytes, redactText, redactionContextBytes } from "../../src/redaction/index.ts";
import { cuts, inPieces, leaksOf, mixedText, noise, planted, wholeOf } from "./planted-secrets.ts";

const runs = { numRuns: 1_000 };
const part = fc.double({ min: 0, max: 1, noNaN: true });

/** Cut anywhere, also inside a character. */
function bytesInPieces(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = places.map((place) => Math.floor(place * bytes.length)).toSorted((a, b) => a - b);
  return [0, ...ends].map((from, index) => bytes.subarray(from, ends[index] ?? bytes.length));
}

function masked(pieces: readonly Buffer[], isPaused: (index: number) => boolean = () => false): Buffer {
  const redactor = new ByteRedactor();
  const told = pieces.flatMap((piece, index) =>
    isPaused(index) ? [redactor.push(piece), redactor.pause()] : [redactor.push(piece)],
  );
  return Buffer.concat([...told, redactor.end()]);
}

/** Every byte is the one that came, or a star. */
function expectSamePlaces(told: Buffer, bytes: Buffer): void {
  expect(told).toHaveLength(bytes.length);
  const changed = [...told].filter((byte, index) => byte !== bytes[index]);
  expect(new Set(changed)).toEqual(new Set(changed.length === 0 ? [] : [0x2a]));
}

test("whatever the pieces, the same bytes are hidden: those that the text would have a mark for", () => {
  fc.assert(
    fc.property(mixedText, fc.array(part, { maxLength: 8 }), (text, places) => {
      const bytes = Buffer.from(text);
      const told = masked(bytesInPieces(bytes, places));
      expectSamePlaces(told, bytes);
      expect(told.equals(masked([bytes])), JSON.stringify({ text, told: told.toString() })).toBe(true);
      expect(told.equals(bytes)).toBe(redactText(text).count === 0);
    }),
    runs,
  );
});

test("no secret comes through, in pieces and with pauses between them", () => {
  fc.assert(
    fc.property(noise, planted, cuts, fc.boolean(), (words, secret, places, hasPauses) => {
      const text = `${words}\n${wholeOf(secret)}${words}`;
      const pieces = inPieces(text, places).map((piece) => Buffer.from(piece));
      const told = masked(pieces, () => hasPauses);
      expectSamePlaces(told, Buffer.concat(pieces));
      // At a pause less than a word of it may be out; the rest is hidden all the same.
      expect(
        leaksOf(secret.secret, told.toString()),
        JSON.stringify({ text, told: told.toString() }),
      ).toEqual([]);
    }),
    runs,
  );
});

test("a pause tells everything, and holds nothing back", () => {
  const redactor = new ByteRedactor();
  const secret = `ghp_${"a1B2c3D4".repeat(5).slice(0, 36)}`;
  const typed = `token: ${secret}\n`.split("").map((letter) => {
    const told = Buffer.concat([redactor.push(Buffer.from(letter)), redactor.pause()]);
    expect(redactor.holdsBack).toBe(false);
    return told.toString();
  });
  expect(typed.join("")).toMatch(/^token: ghp_\w{0,7}\*{29,36}\n$/);
});

test("bytes that are no text come through, and secrets among them do not", () => {
  const secret = `ghp_${"a1B2c3D4".repeat(5).slice(0, 36)}`;
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.array(part, { maxLength: 4 }), (bytes, places) => {
      const around = Buffer.from(bytes);
      expect(masked(bytesInPieces(around, places)).equals(around), around.toString("hex")).toBe(true);
      const all = Buffer.concat([around, Buffer.from(`\n${secret}\n`), around]);
      const told = masked(bytesInPieces(all, places));
      expectSamePlaces(told, all);
      expect(told.includes(secret.slice(4, 12))).toBe(false);
    }),
    runs,
  );
});

test("a window: the same bytes of it are hidden as of the whole, and lines stay where they are", () => {
  const key = `-----BEGIN PRIVATE KEY-----\n${`${"aB3+/xYz".repeat(8)}\n`.repeat(9)}-----END PRIVATE KEY-----\n`;
  const bytes = Buffer.from(`before é\n${key}after\n`);
  const whole = redactBytes({ text: bytes });
  expect(Buffer.from(whole).toString().split("\n")).toHaveLength(bytes.toString().split("\n").length);
  expect(Buffer.from(whole).toString()).toMatch(/^before é\n[*\n-A-Z ]+after\n$/);
  for (let from = 0; from < bytes.length; from += 7) {
    const window = {
      before: bytes.subarray(0, from),
      text: bytes.subarray(from, from + 50),
      after: bytes.subarray(from + 50),
    };
    expect(redactBytes(window)).toEqual(whole.subarray(from, from + 50));
  }
  const plain = Buffer.from("nothing to hide\n".repeat(redactionContextBytes / 8));
  expect(redactBytes({ text: plain, startsInside: true, endsInside: true })).toBe(plain);
});
