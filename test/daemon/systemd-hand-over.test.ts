// The unit under a real systemd, and a daemon that somebody started beside it.
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { isAlive } from "../support/process-facts.ts";
import { doctorSays, nextDaemon, openSupervised, statusOf } from "../support/supervised-home.ts";
import { newTestHome } from "../support/test-home.ts";
import { canRunUserManager } from "../support/user-manager.ts";

test.runIf(canRunUserManager)(
  "a daemon started by hand is told, hands over to the unit, and is needed no more",
  async () => {
    const supervised = await openSupervised(newTestHome(), []);
    const { cli, unit, file, run, systemctl, show, keep } = supervised;
    await run("daemon", "start"); // the unit is there, but not enabled
    const pid = (await statusOf(cli.home))?.pid ?? 0;
    const kept = await keep();
    expect(await doctorSays(supervised, "supervised")).toEqual({
      name: "supervised",
      result: "warning",
      message: expect.stringContaining(`Process ${pid} was started beside ${unit}`) as string,
      hint: expect.stringContaining(`holdfast daemon stop; systemctl --user start ${unit}`) as string,
    });

    await run("daemon", "install", "--force", "--now");
    await nextDaemon(supervised, pid);
    expect(await show("UnitFileState")).toBe("enabled");
    expect(await doctorSays(supervised, "supervised")).toMatchObject({ result: "ok" });

    await run("daemon", "uninstall");
    expect(await show("LoadState")).toBe("not-found");
    expect([existsSync(file), await systemctl("is-enabled", unit)]).toEqual([false, ""]);
    expect(isAlive(kept)).toBe(true);
  },
);
