import { existsSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { identityOf } from "../util/process-identity.ts";
import type { SharedIdentity } from "../util/process-identity.ts";
import { homeFiles } from "./files.ts";
import { consumeMarker, leaveMarker, markerLifeMs, withdrawMarker, type MarkerKind } from "./markers.ts";

/** Inside the directory of this test file. */
function newTestHome(): string {
  return mkdtempSync(join(homedir(), "m-"));
}

const self = identityOf(process.pid) as SharedIdentity;
const kinds = ["takeover", "plannedStop"] as const;

test.for(kinds)("a %s marker is consumed once, by the process it names", (kind) => {
  const home = newTestHome();
  leaveMarker(kind, { home, target: self, drainMs: 250, restart: true });
  expect(consumeMarker(home)).toEqual({ kind, byPid: process.pid, drainMs: 250, restart: true });
  expect(consumeMarker(home)).toBeUndefined();
  expect(readdirSync(home)).toEqual([]);
});

const others: Readonly<Record<string, SharedIdentity>> = {
  "another pid": { ...self, pid: self.pid + 1 },
  "another start time": { ...self, startTime: self.startTime + 1 },
  "another boot": { ...self, bootId: "00000000-0000-0000-0000-000000000000" },
  "another PID namespace": { ...self, pidNamespace: "pid:[1]" },
};

test.for(Object.keys(others))("a marker for %s is ignored and removed", (which) => {
  const home = newTestHome();
  for (const kind of kinds) leaveMarker(kind, { home, target: others[which] as SharedIdentity });
  expect(consumeMarker(home)).toBeUndefined();
  expect(readdirSync(home)).toEqual([]);
});

test("a marker that was made in another home is ignored and removed", () => {
  const [home, other] = [newTestHome(), newTestHome()];
  leaveMarker("takeover", { home: other, target: self });
  symlinkSync(homeFiles(other).takeover, homeFiles(home).takeover);
  expect(consumeMarker(home)).toBeUndefined();
  expect(readdirSync(home)).toEqual([]);
});

test("a home has one identity, whichever of its names is used", () => {
  const home = newTestHome();
  const name = join(newTestHome(), "link");
  symlinkSync(home, name);
  leaveMarker("plannedStop", { home: name, target: self });
  expect(consumeMarker(home)).toMatchObject({ kind: "plannedStop" });
});

const at = (ms: number) => () => ms;

test("a marker lives for a minute of the time since boot; one from the future counts as none", () => {
  const home = newTestHome();
  const written = 500_000;
  for (const [ageMs, isTaken] of [
    [0, true],
    [markerLifeMs, true],
    [markerLifeMs + 1, false],
    [-1, false],
    [-3_600_000, false],
  ] as const) {
    leaveMarker("takeover", { home, target: self }, at(written));
    const taken = consumeMarker(home, at(written + ageMs));
    expect(taken !== undefined, `${ageMs} ms`).toBe(isTaken);
  }
});

test.for<[string, (kind: MarkerKind, home: string) => void]>([
  ["empty", (kind, home) => writeFileSync(homeFiles(home)[kind], "")],
  ["half-written", (kind, home) => writeFileSync(homeFiles(home)[kind], '{"target":{"pid":')],
  ["garbage", (kind, home) => writeFileSync(homeFiles(home)[kind], Buffer.from([0, 255, 1, 254]))],
  ["null", (kind, home) => writeFileSync(homeFiles(home)[kind], "null")],
  ["of wrong types", (kind, home) => writeFileSync(homeFiles(home)[kind], '{"target":"4711","home":1}')],
])("a marker that is %s is ignored and removed", ([, write]) => {
  const home = newTestHome();
  for (const kind of kinds) write(kind, home);
  expect(consumeMarker(home)).toBeUndefined();
  expect(readdirSync(home)).toEqual([]);
});

test("where both name the process, the takeover counts and both are gone", () => {
  const home = newTestHome();
  for (const kind of kinds) leaveMarker(kind, { home, target: self });
  expect(consumeMarker(home)).toMatchObject({ kind: "takeover" });
  expect(readdirSync(home)).toEqual([]);
});

test("who takes a marker back takes only its own", () => {
  const home = newTestHome();
  leaveMarker("takeover", { home, target: self });
  withdrawMarker("takeover", home);
  expect(existsSync(homeFiles(home).takeover)).toBe(false);
  const another = { target: self, home, byPid: process.pid + 1, writtenAtUptimeMs: 1, writtenAt: "" };
  writeFileSync(homeFiles(home).takeover, JSON.stringify(another));
  withdrawMarker("takeover", home);
  expect(existsSync(homeFiles(home).takeover)).toBe(true);
});
