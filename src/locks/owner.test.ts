import { basename } from "node:path";
import { expect, test } from "vitest";
import { isSameOwner, isStale, namedOwner, ownerOf, stateOf } from "./owner.ts";

const self = ownerOf(process.pid);

test("this process owns what it acquires, under the name of its program and not its arguments", () => {
  expect(stateOf(self)).toBe("running");
  expect(namedOwner(process.pid)).toEqual(self);
  expect(self.command).toBe(basename(process.execPath));
  expect(ownerOf(process.pid, "given").command).toBe("given");
});

test("every part of an identity counts, the name of the program does not", () => {
  expect(isSameOwner(self, { ...self, command: null })).toBe(true);
  for (const other of [{ pid: 1 }, { startTime: 1 }, { bootId: "b" }, { pidNamespace: "n" }]) {
    expect(isSameOwner(self, { ...self, ...other })).toBe(false);
  }
});

test("gone is proven, by another start time or another boot; foreign and unknown are not", () => {
  expect(stateOf({ ...self, startTime: self.startTime + 1 })).toBe("gone");
  expect(stateOf({ ...self, bootId: "of an earlier boot" })).toBe("gone");
  expect(stateOf({ ...self, pidNamespace: "pid:[1]" })).toBe("foreign");
  expect(stateOf({ ...self, bootId: "" })).toBe("unknown");
  const states = ["running", "stopped", "gone", "unknown", "foreign", "damaged"] as const;
  expect(states.filter(isStale)).toEqual(["stopped", "gone", "damaged"]);
});

test("a process that is not there cannot own a lock", () => {
  for (const own of [ownerOf, namedOwner]) {
    expect(() => own(4_194_304)).toThrowError(/process 4194304 cannot own a lock: it has ended/);
  }
});

test("a parent outside of the PID namespace, which has no number here, cannot", () => {
  expect(() => ownerOf(0)).toThrowError(/the caller cannot own a lock: .+ another PID namespace/);
});
