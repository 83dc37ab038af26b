import { expect, test } from "vitest";
import { StreamEdits } from "./stream-edits.ts";

const bytes = Buffer.from("abcdefgh");
const instead = Buffer.from("XY");

test("what was found is replaced, and the rest is as it came", () => {
  const edits = new StreamEdits();
  edits.add({ from: 1, to: 3, instead });
  edits.add({ from: 5, to: 6, instead: new Uint8Array() });
  expect(Buffer.from(edits.apply(bytes, { from: 0, to: 8 })).toString()).toBe("aXYdegh");
  expect(Buffer.from(edits.apply(bytes, { from: 3, to: 5 })).toString()).toBe("de");
  expect(Buffer.from(edits.apply(bytes, { from: 0, to: 8 }, ({ from }) => from > 1)).toString()).toBe(
    "abcdegh",
  );
});

test("what is found before the rest is there is counted from the rest", () => {
  const edits = new StreamEdits();
  edits.add({ from: 1, to: 2, instead });
  edits.add({ from: 6, to: 7, instead });
  edits.forgetBefore(5);
  expect(Buffer.from(edits.apply(bytes.subarray(5), { from: 0, to: 3 })).toString()).toBe("fXYh");
});

test("what is part of something larger goes with it", () => {
  const edits = new StreamEdits();
  edits.add({ from: 0, to: 1, instead });
  edits.add({ from: 3, to: 4, instead });
  edits.dropFrom(2);
  edits.add({ from: 2, to: 8, instead });
  expect(Buffer.from(edits.apply(bytes, { from: 0, to: 8 })).toString()).toBe("XYbXY");
});
