// The log of a daemon whose home cannot be written: it goes on, says so, and comes back to its file by itself.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openCliHome } from "../support/cli-home.ts";
import { ask } from "../support/daemon-calls.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { askAs, entriesOfRequest, logText } from "../support/daemon-logs.ts";
import { killNow, launcherPidOf } from "../support/process-facts.ts";
import { canMount, fillDisk, makeReadOnly, mountSmallDisk, remount } from "../support/small-disk.ts";
import { newTestHome } from "../support/test-home.ts";

test.skipIf(!canMount)(
  "on a full disk the daemon goes on, says so, and what it had to say comes later",
  async () => {
    const home = mountSmallDisk("8m");
    const daemon = await openDaemonHome({ home, environment: { HOLDFAST_LOG_LEVEL: "debug" } });
    await askAs(daemon.socketPath, "r_room");
    fillDisk(home);
    // Longer than what is left of the last page of the file.
    const numbers = Array.from({ length: 60 }, (_, number) => number);
    for (const number of numbers) await askAs(daemon.socketPath, `r_full_${number}`);
    const { state, problems } = await ask(daemon, "daemon.status", {});
    expect({ state, problems }).toMatchObject({
      state: "degraded",
      problems: [expect.stringMatching(/^The log cannot be written: ENOSPC/) as string],
    });
    const { checks } = await ask(daemon, "doctor", {});
    expect(checks.find(({ name }) => name === "daemon")).toMatchObject({ result: "problem" });
    for (const name of readdirSync(home).filter((file) => file.startsWith("filler-")))
      rmSync(join(home, name));
    await expect.poll(() => logText(home), { timeout: 10_000 }).toContain("the log can be written again");
    for (const number of numbers)
      expect(entriesOfRequest(home, `r_full_${number}`), String(number)).toHaveLength(1);
    const after = await ask(daemon, "daemon.status", {});
    expect(after.problems).toEqual([]);
  },
);

test.skipIf(!canMount)(
  "on a read-only home standard error has the log, and the status says why",
  async () => {
    const runtimeDirectory = newTestHome();
    vi.stubEnv("XDG_RUNTIME_DIR", runtimeDirectory);
    onTestFinished(() => void vi.unstubAllEnvs());
    const home = mountSmallDisk("16m");
    const cli = openCliHome(home);
    const environment = { XDG_RUNTIME_DIR: runtimeDirectory };
    await cli.run(["daemon", "start"], { environment });
    await cli.run(["daemon", "stop"], { environment });
    await killNow(launcherPidOf(home) ?? 0);
    await makeReadOnly(home);
    const running = cli.start(["daemon", "run"], { environment });
    await running.shows("ready\n");
    const status = await cli.json<{ problems: string[] }>(["daemon", "status", "--json"], { environment });
    expect(status.problems.join("\n")).toContain("The log cannot be written: EROFS");
    running.child.kill("SIGINT");
    const { stderr } = await running.answer;
    expect(stderr).toContain('"msg":"starting"');
    expect(stderr).toContain('"reason":"SIGINT"');
    remount(home, "rw");
  },
);
