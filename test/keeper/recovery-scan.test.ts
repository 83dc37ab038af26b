// What became of every run of a home, told in one call that disturbs nobody.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { classifyRuns, runsDirectory, scanRuns } from "../../src/keeper/index.ts";
import { copyWithoutEnd, replaceLine } from "../support/copied-run.ts";
import { openKeeperHome } from "../support/keeper-home.ts";
import { freeze, killNow } from "../support/process-facts.ts";
import { startUnwatched } from "../support/unwatched-run.ts";

test("one scan tells live, ended, unkept, cut off, abandoned, fenced and damaged runs apart", async () => {
  const keeper = await openKeeperHome();
  const runs = runsDirectory(keeper.home);
  await keeper.start({ id: "ended", argv: ["/bin/true"] }).then((run) => run.ended);
  // Its keeper has gone too: until then it is live, and its socket cannot be copied.
  await expect.poll(async () => (await keeper.launcher.status()).held).toBe(0);
  const unkept = await startUnwatched(keeper, { id: "unkept", argv: ["/bin/sleep", "300"] });
  const launcherPid = keeper.launcherPid();
  await freeze(launcherPid);
  await killNow(unkept.keeperPid);
  await killNow(launcherPid);
  await keeper.start({ id: "live", argv: ["/bin/sleep", "300"] });
  // A living child does not make a run live, and a living keeper not an ended one.
  const lingering = await keeper.shell("sleep 300 & exit 0", { id: "lingering" });
  await lingering.ended;
  const copy = (to: string): string => copyWithoutEnd({ home: keeper.home, from: "ended", to });
  replaceLine(copy("cut"), "spec", "boot", "00000000-1111-2222-3333-444444444444");
  writeFileSync(join(copy("given_up"), "abandoned"), "");
  writeFileSync(join(copy("torn"), "exit"), "contract 1.0\nkind exited\ncode 0\n");
  rmSync(join(copy("specless"), "spec"));
  writeFileSync(join(copy("empty_spec"), "spec"), "");
  mkdirSync(join(runs, "fence"));
  mkdirSync(join(runs, "not a run id"));
  writeFileSync(join(runs, "a_file"), "");

  const scanned = await scanRuns(keeper.binary, runs);
  expect(Object.fromEntries(scanned)).toEqual({
    ended: "ended",
    unkept: "unkept",
    live: "live",
    lingering: "live",
    cut: "earlier-boot",
    given_up: "abandoned",
    torn: "unkept", // a record without a valid sum does not exist
    specless: "damaged",
    empty_spec: "damaged",
    fence: "fenced",
  });
  const classified = classifyRuns(scanned);
  expect(classified.live.toSorted()).toEqual(["lingering", "live"]);
  expect(classified.unkept.toSorted()).toEqual(["torn", "unkept"]);
  expect(classified).toMatchObject({ ended: ["ended"], earlierBoot: ["cut"] });
  expect(classified.hidden.toSorted()).toEqual(["empty_spec", "fence", "given_up", "specless"]);
  expect(await keeper.launcher.recover("unkept")).toBe("ended");
  expect((await scanRuns(keeper.binary, runs)).get("unkept")).toBe("ended");
});

test("200 scans beside 200 starts disturb none of them, and see each run as live or ended and nothing else", async () => {
  const keeper = await openKeeperHome();
  const runs = runsDirectory(keeper.home);
  // More locks than the kernel tells in one piece, some of them let go while it tells them.
  const staying = await Promise.all(
    Array.from({ length: 100 }, () => keeper.start({ argv: ["/bin/sleep", "300"] })),
  );
  const seen = new Map<string, number>();
  const starting = new AbortController();
  const scanning = (async () => {
    let count = 0;
    for (; count < 200 || !starting.signal.aborted; count++) {
      const scanned = await scanRuns(keeper.binary, runs);
      for (const [, status] of scanned) seen.set(status, (seen.get(status) ?? 0) + 1);
      for (const { id } of staying) seen.set(`staying ${scanned.get(id)}`, count + 1);
    }
    return count;
  })();
  for (let start = 0; start < 200; start++) {
    const run = await keeper.shell(`echo ${start}; exit ${start}`);
    expect((await run.ended).exit).toEqual({ kind: "exited", code: start });
  }
  starting.abort();
  const count = await scanning;
  expect([...seen.keys()].toSorted()).toEqual(["ended", "live", "staying live"]);
  expect(seen.get("staying live")).toBe(count);
  await expect.poll(async () => classifyRuns(await scanRuns(keeper.binary, runs)).ended.length).toBe(200);
  expect(classifyRuns(await scanRuns(keeper.binary, runs)).live).toHaveLength(staying.length);
});

test("a folder that is not there is an error, an empty one is not", async () => {
  const keeper = await openKeeperHome();
  const runs = runsDirectory(keeper.home);
  await expect(scanRuns(keeper.binary, join(keeper.home, "nowhere"))).rejects.toMatchObject({
    code: "SYSTEM_ERROR",
  });
  expect((await scanRuns(keeper.binary, runs)).size).toBe(0); // spare directories are no runs
  expect(readdirSync(runs).every((name) => name.startsWith(".spare-"))).toBe(true);
});
