// The unit under a real systemd: whatever ends the daemon, it comes back, and what it keeps never notices.
import { join } from "node:path";
import { expect, test } from "vitest";
import { isAlive, untilDead } from "../support/process-facts.ts";
import { doctorSays, nextDaemon, openSupervised } from "../support/supervised-home.ts";
import { newTestHome } from "../support/test-home.ts";
import { canRunUserManager } from "../support/user-manager.ts";

// A name in which every character means something to systemd.
const oddHome = (): string => join(newTestHome(), `h "%h" $HOME \\x`);

test.runIf(canRunUserManager)(
  "a kept process that is killed costs nobody else anything, and the daemon comes back when it is killed",
  async () => {
    const supervised = await openSupervised(oddHome(), ["--now"]);
    const { unit, show, keep } = supervised;
    const first = await nextDaemon(supervised, 0);
    const [kept, doomed] = [await keep(), await keep()];
    process.kill(doomed, "SIGKILL"); // as the kernel does when memory runs out
    await untilDead(doomed);
    expect(await show("MainPID")).toBe(String(first));
    process.kill(first, "SIGKILL");
    const second = await nextDaemon(supervised, first);
    expect([isAlive(kept), isAlive(second)]).toEqual([true, true]);
    expect(await doctorSays(supervised, "supervised")).toMatchObject({
      result: "ok",
      message: `${unit} runs this daemon.`,
    });
  },
);

test.runIf(canRunUserManager)(
  "a SIGTERM nobody announced, a restart of the unit and a restart of the daemon bring it back, and what it keeps never notices",
  async () => {
    const supervised = await openSupervised(newTestHome(), ["--now"]);
    const { unit, run, systemctl, keep } = supervised;
    const first = await nextDaemon(supervised, 0);
    const kept = await keep();
    process.kill(first, "SIGTERM");
    const second = await nextDaemon(supervised, first);
    await systemctl("restart", unit);
    const third = await nextDaemon(supervised, second);
    await run("daemon", "restart"); // exit code 75
    await nextDaemon(supervised, third);
    expect(isAlive(kept)).toBe(true);
    expect((await run("ps", "-q")).stdout.trim().split("\n")).toHaveLength(1);
  },
);
