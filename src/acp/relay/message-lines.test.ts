import * as fc from "fast-check";
import { expect, test } from "vitest";
import { messageLines, type Piece } from "./message-lines.ts";

async function* chunksOf(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    yield await Promise.resolve(bytes.subarray(at, at + size));
    at += size;
  }
}

async function read(text: string, sizes: readonly number[], limitBytes?: number): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for await (const piece of messageLines(chunksOf(Buffer.from(text), sizes), limitBytes)) pieces.push(piece);
  return pieces;
}

test("lines come whole however the bytes come, and not a byte is lost", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string()),
      fc.array(fc.integer({ min: 1, max: 9 })),
      async (lines, sizes) => {
        const text = lines.map((line) => `${line.replaceAll("\n", "")}\n`).join("");
        const pieces = await read(text, sizes);
        expect(Buffer.concat(pieces.map(({ bytes }) => bytes)).toString()).toBe(Buffer.from(text).toString());
        expect(pieces).toHaveLength(lines.length);
        expect(pieces.every(({ isLine }) => isLine)).toBe(true);
      },
    ),
  );
});

test("a line that is too long passes in parts that nobody looks into; the next one is whole again", async () => {
  const pieces = await read("aaaaaaaaaa\nb\nrest", [4, 4, 4], 6);
  expect(pieces.map(({ bytes, isLine }) => [bytes.toString(), isLine])).toEqual([
    ["aaaaaaaa", false],
    ["aa\n", false],
    ["b\n", true],
    ["rest", false],
  ]);
});
