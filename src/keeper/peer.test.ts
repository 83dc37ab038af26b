import { Socket } from "node:net";
import { expect, test } from "vitest";
import { parsePeer, readPeer } from "./peer.ts";

test("the line of keeper peer is read, and no other", () => {
  expect(parsePeer("12 0 100 98765\n")).toEqual({ pid: 12, uid: 0, gid: 100, startTime: 98_765 });
  expect(parsePeer("0 4294967295 1 0\n").pid).toBe(0);
  for (const text of ["", "12 0 100\n", "12 0 100 1", "-1 0 0 0\n", "1 2 3 4\n5 6 7 8\n"]) {
    expect(() => parsePeer(text), text).toThrowError(/keeper peer says/);
  }
});

test("a closed connection has no other end", async () => {
  expect(await readPeer("/nonexistent", new Socket())).toBeUndefined();
});
