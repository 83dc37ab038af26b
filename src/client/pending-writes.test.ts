import { expect, test } from "vitest";
import type { InputFrame } from "../protocol/live-frames.ts";
import { PendingWrites } from "./pending-writes.ts";

function recorded(): { writes: PendingWrites; sent: [number, string][] } {
  const sent: [number, string][] = [];
  const writes = new PendingWrites(({ sequence, bytes }: InputFrame) => {
    sent.push([sequence, Buffer.from(bytes).toString()]);
  });
  return { writes, sent };
}

test("bytes are sent in order, acknowledged in order, and sent again only until then", async () => {
  const { writes, sent } = recorded();
  expect(writes.writer).toMatch(/^[0-9a-f]{16}$/);
  const first = writes.add(Buffer.from("abc"));
  const second = writes.add(Buffer.from("de"));
  expect(sent.splice(0)).toEqual([
    [0, "abc"],
    [3, "de"],
  ]);
  writes.acknowledge(3);
  await first;
  writes.sendAgain();
  expect(sent.splice(0)).toEqual([[3, "de"]]);
  writes.acknowledge(5);
  await second;
  writes.sendAgain();
  expect(sent).toEqual([]);
});

test("a refused write fails with all behind it, and the next one takes its sequence", async () => {
  const { writes, sent } = recorded();
  const refused = new Error("closed");
  const both = Promise.allSettled([writes.add(Buffer.from("abc")), writes.add(Buffer.from("de"))]);
  writes.refuse(0, refused);
  expect(await both).toEqual([
    { status: "rejected", reason: refused },
    { status: "rejected", reason: refused },
  ]);
  const third = writes.add(Buffer.from("f"));
  // The answer to "de", which came too late to matter.
  writes.refuse(3, new Error("gap"));
  writes.acknowledge(1);
  await third;
  expect(sent.at(-1)).toEqual([0, "f"]);
});

test("a long write goes in frames and is done when the last one is", async () => {
  const { writes, sent } = recorded();
  const written = writes.add(Buffer.alloc(150_000, "x"));
  expect(sent.map(([sequence, text]) => [sequence, text.length])).toEqual([
    [0, 65_536],
    [65_536, 65_536],
    [131_072, 18_928],
  ]);
  writes.acknowledge(150_000);
  await written;
});
