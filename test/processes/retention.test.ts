import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ask, runToEnd } from "../support/daemon-calls.ts";
import { openDaemonHome } from "../support/daemon-home.ts";

test("beyond the number kept, the oldest ended go first, with their files; living ones stay", async () => {
  const daemon = await openDaemonHome({ environment: { HOLDFAST_RETENTION_MAX_ENDED: "2" } });
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push(await runToEnd(daemon, `echo ${i}`));
  const live = await ask(daemon, "process.start", { command: "sleep 1000", cwd: "/" });
  expect((await ask(daemon, "gc", { dryRun: true })).removed).toEqual(ids.slice(0, 2));
  expect((await ask(daemon, "process.list", {})).processes).toHaveLength(5);
  const swept = await ask(daemon, "gc", {});
  expect(swept.removed).toEqual(ids.slice(0, 2));
  expect(swept.freedBytes).toBeGreaterThan(0);
  expect((await ask(daemon, "process.list", {})).processes.map((process) => process.id)).toEqual([
    live.id,
    ids[3],
    ids[2],
  ]);
  expect(existsSync(join(daemon.home, "runs", ids[0] ?? ""))).toBe(false);
  expect(existsSync(join(daemon.home, "runs", ids[3] ?? ""))).toBe(true);
});

test("a timer sweeps, not the next start: an old end goes by itself", async () => {
  const environment = { HOLDFAST_RETENTION_AGE_MS: "50", HOLDFAST_RETENTION_INTERVAL_MS: "1000" };
  const daemon = await openDaemonHome({ environment });
  await ask(daemon, "process.start", { command: "echo gone", cwd: "/" });
  const left = async (): Promise<number> => (await ask(daemon, "process.list", {})).processes.length;
  await expect.poll(left, { timeout: 10_000 }).toBe(0);
});

test("total disk is bounded: what does not fit beside the newer ones goes", async () => {
  const daemon = await openDaemonHome({ environment: { HOLDFAST_RETENTION_MAX_DISK_BYTES: "400000" } });
  const big = await runToEnd(daemon, "head -c 300000 /dev/zero");
  const bigger = await runToEnd(daemon, "head -c 300000 /dev/zero");
  expect((await ask(daemon, "gc", {})).removed).toEqual([big]);
  expect((await ask(daemon, "process.get", { id: bigger })).outputBytes).toBe(300_000);
  // What an earlier look has measured still counts.
  const biggest = await runToEnd(daemon, "head -c 300000 /dev/zero");
  expect((await ask(daemon, "gc", {})).removed).toEqual([bigger]);
  expect((await ask(daemon, "process.get", { id: biggest })).outputBytes).toBe(300_000);
  // What lives takes its part, and stays.
  const living = await ask(daemon, "process.start", {
    command: "head -c 300000 /dev/zero; echo; echo done; exec sleep 1000",
    cwd: "/",
  });
  await ask(daemon, "process.wait", { ids: [living.id], for: { kind: "match", text: "done" } });
  expect((await ask(daemon, "gc", {})).removed).toEqual([biggest]);
  expect((await ask(daemon, "process.get", { id: living.id })).state).toBe("running");
});
