// `holdfast lock list`: what is there, who has it and whether that is proven. Looking changes nothing.
import { copyFileSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acquireLock, listLocks, ownerOf } from "../../src/locks/index.ts";
import { openCliHome } from "../support/cli-home.ts";
import { claimFileOf, leaveStaleLock, newLockDirectory } from "../support/lock-owners.ts";

function namesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" }).toSorted();
}

test("a directory that is not there has no locks, and is not made", async () => {
  const directory = newLockDirectory();
  expect(await listLocks({ directory })).toEqual({ directory, locks: [] });
  const answer = await openCliHome().run(["lock", "list"], { environment: { HOLDFAST_LOCK_DIR: directory } });
  expect(answer).toMatchObject({ code: 0, stdout: "SCOPE  HASH  PID  COMMAND  OWNER  SINCE  META\n" });
  expect(statSync(directory, { throwIfNoEntry: false })).toBeUndefined();
});

test("held, stale, damaged and newer ones are told apart; what is no lock is passed over", async () => {
  const directory = newLockDirectory();
  const at = (identity: string) => ({ directory, scope: "s", identity });
  const owner = ownerOf(process.pid);
  const { lock: held } = await acquireLock({ ...at("held"), owner, meta: { for: "tests" } });
  const stale = await leaveStaleLock(at("stale"));
  const damaged = await leaveStaleLock(at("damaged"));
  writeFileSync(claimFileOf(damaged), "{");
  const { lock: newer } = await acquireLock({ ...at("newer"), owner });
  writeFileSync(claimFileOf(newer), '{"format":2}');
  const { lock: freed } = await acquireLock({ ...at("freed"), owner });
  renameSync(claimFileOf(freed), join(freed.path, "litter"));
  writeFileSync(join(directory, "notes.txt"), "");
  copyFileSync(claimFileOf(held), join(directory, `s-${"0".repeat(64)}`));
  const before = namesBelow(directory);

  const { locks } = await listLocks({ directory });
  const told = locks.map(({ identityHash, state, stale: isStale, owner: who }) => [
    identityHash,
    state,
    isStale,
    who?.pid,
  ]);
  const expected = [
    [held.identityHash, "running", false, process.pid],
    [stale.identityHash, "gone", true, stale.owner?.pid],
    [damaged.identityHash, "damaged", true, undefined],
    [newer.identityHash, "unknown", false, undefined],
  ];
  expect(told).toEqual(expected.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)));
  expect(namesBelow(directory)).toEqual(before);

  const environment = { HOLDFAST_LOCK_DIR: directory };
  const table = await openCliHome().run(["lock", "list", "s"], { environment });
  const row = table.stdout.split("\n").find((line) => line.includes(held.identityHash.slice(0, 12)));
  expect(row).toMatch(new RegExp(String.raw`^s +\w{12} +${process.pid} +node +running +\S+Z +for=tests$`));
  expect(table.stdout).toMatch(/ gone, stale /);
  expect((await openCliHome().run(["lock", "list", "t"], { environment })).stdout.split("\n")).toHaveLength(
    2,
  );
});

test("a lock of a newer release is held, whoever has it", async () => {
  const name = { directory: newLockDirectory(), scope: "s", identity: "newer" };
  const lock = await leaveStaleLock(name);
  writeFileSync(claimFileOf(lock), '{"format":2}');
  await expect(acquireLock({ ...name, owner: ownerOf(process.pid) })).rejects.toMatchObject({
    code: "LOCK_HELD",
    message: "the lock s is held by a process that is not known here",
    hint: expect.stringContaining(`remove ${lock.path}`) as string,
  });
});
