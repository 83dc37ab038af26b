import { expect, test } from "vitest";
import { decodeOutputData } from "./live-frames.ts";
import { decodeViewState, encodeViewState } from "./view-frames.ts";

test("a state comes back with its offset, and is no frame of another kind", () => {
  const state = { offset: 2 ** 40 + 7, bytes: new TextEncoder().encode("\u001b[1mstate ä") };
  const frame = encodeViewState(state);
  expect(decodeViewState(frame)).toEqual(state);
  expect(decodeOutputData(frame)).toBeUndefined();
  expect(decodeViewState(frame.subarray(0, 5))).toBeUndefined();
});
