// `holdfast daemon status` and the status file where the home cannot be written. Needs root.
import { expect, test, vi } from "vitest";
import { daemonReport } from "../../src/cli/daemon-report.ts";
import { readPresence, readStatusFile } from "../../src/home/index.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { killNow, launcherPidOf } from "../support/process-facts.ts";
import { canMount, fillDisk, makeReadOnly, mountSmallDisk, remount } from "../support/small-disk.ts";
import { newTestHome } from "../support/test-home.ts";

test.skipIf(!canMount)("on a read-only home it answers, with a daemon and without", async () => {
  const runtimeDirectory = newTestHome();
  vi.stubEnv("XDG_RUNTIME_DIR", runtimeDirectory);
  const home = mountSmallDisk("16m");
  const daemon = await openDaemonHome({ home, environment: { XDG_RUNTIME_DIR: runtimeDirectory } });
  await daemon.terminate();
  await killNow(launcherPidOf(home) ?? 0);
  await makeReadOnly(home);
  expect(await daemonReport(home)).toMatchObject({ state: "stopped", pid: null });
  await daemon.start();
  // It could not write who it is; the kernel tells.
  expect(readPresence(home)).toMatchObject({ state: "running", owner: { pid: daemon.pid() }, record: null });
  expect(await daemonReport(home)).toMatchObject({ state: "degraded", pid: daemon.pid(), answers: true });
  await daemon.kill();
  expect(await daemonReport(home)).toMatchObject({ state: "stopped", pid: null });
  remount(home, "rw");
  await daemon.start();
  vi.unstubAllEnvs();
});

test.skipIf(!canMount)(
  "on a full disk it answers; what it could not write it writes when there is room",
  async () => {
    const home = mountSmallDisk("16m");
    const daemon = await openDaemonHome({ home });
    await daemon.kill();
    const left = readPresence(home).record;
    fillDisk(home);
    expect(await daemonReport(home)).toMatchObject({ state: "stale", pid: null });
    await daemon.start();
    // It could not write who it is: the record is still its predecessor's, and the kernel tells.
    expect(readPresence(home)).toMatchObject({
      state: "running",
      owner: { pid: daemon.pid() },
      record: { pid: left?.pid },
    });
    expect(await daemonReport(home)).toMatchObject({ pid: daemon.pid(), answers: true });
    remount(home, "size=64m");
    expect(await daemon.call("process.start", { command: "sleep 60", cwd: "/" })).toMatchObject({
      status: 200,
    });
    await expect.poll(() => readPresence(home).record?.pid).toBe(daemon.pid());
    // A file of its own, written after the record.
    await expect
      .poll(() => readStatusFile(home))
      .toMatchObject({ writer: { pid: daemon.pid() }, active: { processes: 1 } });
  },
);
