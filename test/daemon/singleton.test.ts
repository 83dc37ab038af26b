// One daemon per home: whoever has the kernel's lock has it, everybody else is told who that is, and nobody who only looks is in the way.
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { homeFiles, readPresence, readRecord } from "../../src/home/index.ts";
import { identityOf } from "../../src/util/process-identity.ts";
import { holdHome, takeHome } from "../support/held-home.ts";
import { freeze, thaw } from "../support/process-facts.ts";
import { newTestHome } from "../support/test-home.ts";

test("whoever has the lock and has not told who it is yet is told by its pid", async () => {
  const home = newTestHome();
  const holder = await holdHome(home, ["no-record"]);
  expect(readPresence(home)).toMatchObject({
    state: "running",
    detail: "starting",
    owner: { pid: holder.pid, liveness: "running" },
    record: null,
  });
  await expect(takeHome(home)).rejects.toMatchObject({
    code: "DAEMON_RUNNING",
    details: { pid: holder.pid, state: "starting", version: null },
  });
  await holder.kill();
  expect(readPresence(home)).toMatchObject({ state: "stopped", owner: null });
});

test("a record of somebody else is no proof: the one with the lock is told", async () => {
  const home = newTestHome();
  await (await holdHome(home)).kill();
  const left = readRecord(home);
  const holder = await holdHome(home, ["no-record"]);
  expect(readRecord(home)).toEqual(left);
  expect(readPresence(home)).toMatchObject({
    state: "running",
    detail: "starting",
    owner: { pid: holder.pid },
  });
});

test("an owner that is stopped by a signal is told as such, with how to continue it", async () => {
  const home = newTestHome();
  const holder = await holdHome(home);
  await freeze(holder.pid);
  await expect(takeHome(home)).rejects.toMatchObject({
    code: "DAEMON_RUNNING",
    message: expect.stringContaining(
      `Process ${holder.pid} has this home but is stopped by a signal (state T)`,
    ) as string,
    hint: expect.stringContaining(`kill -CONT ${holder.pid}`) as string,
    details: { liveness: "stopped", version: "9.9.9" },
  });
  thaw(holder.pid);
  await holder.leave();
  const own = await takeHome(home);
  own.release({ state: "stopped", exitReason: "the test is over" });
});

test("a lock file that somebody removed does not let a second daemon in beside the first", async () => {
  const home = newTestHome();
  const holder = await holdHome(home);
  rmSync(homeFiles(home).lock);
  const seen = { state: "running", owner: { pid: holder.pid, liveness: "running" } };
  expect(readPresence(home)).toMatchObject(seen);
  await expect(takeHome(home)).rejects.toMatchObject({
    code: "DAEMON_RUNNING",
    details: { pid: holder.pid },
  });
  expect(readPresence(home)).toMatchObject(seen);
  await holder.kill();
  expect(readPresence(home)).toMatchObject({ state: "stale" });
  (await takeHome(home)).release({ state: "stopped", exitReason: "the test is over" });
});

test("a look leaves no trace", async () => {
  const home = newTestHome();
  const holder = await holdHome(home);
  const traces = (): unknown =>
    readdirSync(home)
      .toSorted()
      .map((name) => {
        const { ino, mtimeMs, size } = statSync(join(home, name));
        return { name, ino, mtimeMs, size };
      });
  const before = traces();
  for (let look = 0; look < 100; look++) readPresence(home);
  expect(traces()).toEqual(before);
  await holder.kill();
  const killed = traces();
  for (let look = 0; look < 100; look++) expect(readPresence(home).state).toBe("stale");
  expect(traces()).toEqual(killed);
});

test("a home that is no home yet is told as stopped, and is not made", () => {
  const home = join(newTestHome(), "not-there");
  expect(readPresence(home)).toMatchObject({ state: "stopped", owner: null, record: null, status: null });
  expect(statSync(home, { throwIfNoEntry: false })).toBeUndefined();
});

test("who lets the lock go and has not ended yet does not have the home any more", async () => {
  const home = newTestHome();
  const own = await takeHome(home);
  own.release({ state: "stopped", exitReason: "handed over" });
  writeFileSync(
    homeFiles(home).record,
    JSON.stringify({ ...identityOf(process.pid), argv: [], home, version: "1" }),
  );
  expect(readPresence(home)).toMatchObject({ state: "stopped", owner: null, reason: /handed over/ });
  (await takeHome(home)).release({ state: "stopped", exitReason: "the test is over" });
});
