// `holdfast lock release`: by its owner only, or everything of one owner at once.
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { acquireLock, listLocks, lockDirectory, ownerOf, releaseLock } from "../../src/locks/index.ts";
import { openCliHome } from "../support/cli-home.ts";
import { deadOwner, leaveStaleLock, newLockDirectory, startSleeper } from "../support/lock-owners.ts";

test("what its owner releases is free, and leaves nothing behind", async () => {
  const cli = openCliHome();
  await cli.run(["lock", "acquire", "mine", "token", "--meta", "a=b"]);
  await cli.run(["lock", "acquire", "mine", "token", "--meta", "a=c"]);
  const released = await cli.run(["lock", "release", "mine", "token"]);
  expect(released).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^released: mine of process \d+/) as string,
  });
  expect((await listLocks()).locks).toEqual([]);
  expect(readdirSync(lockDirectory())).toEqual([".pending"]);
  expect(readdirSync(`${lockDirectory()}/.pending`)).toEqual([]);
});

test("nobody else's, and nobody's, is LOCK_NOT_OWNED; the lock stays", async () => {
  const cli = openCliHome();
  const sleeper = startSleeper();
  const pid = String(sleeper.pid);
  await cli.json(["lock", "acquire", "theirs", "token", "--pid", pid, "--json"]);
  const refused = await cli.run(["lock", "release", "theirs", "token", "--json"]);
  expect(refused).toMatchObject({ code: 6, stdout: "" });
  expect(JSON.parse(refused.stderr)).toMatchObject({
    error: { code: "LOCK_NOT_OWNED", details: { lock: { owner: { pid: sleeper.pid } } } },
  });
  expect(await cli.run(["lock", "release", "theirs", "another"])).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/^holdfast: nobody has the lock theirs \[LOCK_NOT_OWNED\]/) as string,
  });
  expect((await listLocks({ scope: "theirs" })).locks).toHaveLength(1);
  expect(await cli.run(["lock", "release", "theirs", "token", "--pid", pid])).toMatchObject({ code: 0 });
});

test("one that was replaced cannot release its successor's lock", async () => {
  const directory = newLockDirectory();
  const name = { directory, scope: "replaced", identity: "token" };
  const before = await leaveStaleLock(name);
  const owner = ownerOf(process.pid);
  await acquireLock({ ...name, owner });
  const old = before.owner ?? owner;
  await expect(releaseLock({ ...name, owner: old })).rejects.toMatchObject({ code: "LOCK_NOT_OWNED" });
  expect((await listLocks({ directory })).locks).toMatchObject([{ owner: { pid: process.pid } }]);
});

test("--all releases every lock of one owner and no other's", async () => {
  const cli = openCliHome();
  const environment = { HOLDFAST_LOCK_DIR: newLockDirectory() };
  const run = (...args: string[]) => cli.run(["lock", ...args], { environment });
  const [one, other] = [startSleeper(), startSleeper()].map(({ pid }) => String(pid));
  for (const identity of ["a", "b", "c"]) await run("acquire", "s", identity, "--pid", one ?? "");
  await run("acquire", "s", "d", "--pid", other ?? "");
  const released = await run("release", "--all", "--pid", one ?? "", "--json");
  expect((JSON.parse(released.stdout) as { released: object[] }).released).toHaveLength(3);
  const { locks } = await listLocks({ directory: environment.HOLDFAST_LOCK_DIR });
  expect(locks).toMatchObject([{ owner: { pid: Number(other) } }]);
  expect(await run("release", "--all")).toMatchObject({ code: 0, stdout: "nothing to release\n" });
});

test("--all --pid also takes what a process left that has ended", async () => {
  const directory = newLockDirectory();
  const owner = await deadOwner();
  for (const identity of ["a", "b"]) await acquireLock({ directory, scope: "s", identity, owner });
  const cli = openCliHome();
  const environment = { HOLDFAST_LOCK_DIR: directory };
  const released = await cli.run(["lock", "release", "--all", "--pid", String(owner.pid)], { environment });
  expect(released).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^(?:released: s of .+\n){2}$/) as string,
  });
  expect((await listLocks({ directory })).locks).toEqual([]);
});
