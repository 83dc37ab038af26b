// The unit under a real systemd: a stop that was meant stays one.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isAlive, untilDead } from "../support/process-facts.ts";
import { nextDaemon, openSupervised, patience } from "../support/supervised-home.ts";
import { newTestHome } from "../support/test-home.ts";
import { canRunUserManager } from "../support/user-manager.ts";

test.runIf(canRunUserManager)(
  "a stop that was meant stays one, and leaves what is kept; a kill of the unit leaves nothing",
  async () => {
    const supervised = await openSupervised(newTestHome(), ["--now"]);
    const { cli, unit, run, systemctl, show, keep } = supervised;
    const first = await nextDaemon(supervised, 0);
    const kept = await keep();

    await systemctl("stop", unit);
    expect([await show("ActiveState"), await show("Result"), isAlive(first)]).toEqual([
      "inactive",
      "success",
      false,
    ]);
    expect(isAlive(kept)).toBe(true);

    // Any command brings the unit's daemon back, not one beside it.
    expect((await run("ps", "-q")).stdout).toMatch(/^p_\w+\n$/);
    const second = await nextDaemon(supervised, first);
    await run("daemon", "stop"); // exit code 0
    await untilDead(second);
    // The manager hears of it a moment later than the kernel tells it.
    await expect.poll(() => show("ActiveState"), patience).toBe("inactive");
    expect(await show("NRestarts")).toBe("0");

    writeFileSync(join(cli.home, "holdfast.yaml"), "stop:\n  graceMs: soon\n");
    await systemctl("start", unit);
    await expect.poll(() => show("ExecMainStatus"), patience).toBe("78");
    await expect.poll(() => show("SubState"), patience).toBe("failed");
    expect(await show("NRestarts")).toBe("0");
    expect(isAlive(kept)).toBe(true);

    await systemctl("kill", "--signal=KILL", unit);
    await untilDead(kept);
    writeFileSync(join(cli.home, "holdfast.yaml"), "");
  },
);
