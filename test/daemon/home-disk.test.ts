// Stop and replacement on a home where nothing can be written: no marker, no record, no status; the socket is asked instead.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { readPresence } from "../../src/home/index.ts";
import { buildPackage } from "../support/built-package.ts";
import { openCliHome } from "../support/cli-home.ts";
import { connectedClient } from "../support/connected-client.ts";
import { readyDaemonProgram } from "../support/daemon-program.ts";
import { killNow, launcherPidOf } from "../support/process-facts.ts";
import { canMount, fillDisk, makeReadOnly, mountSmallDisk, remount } from "../support/small-disk.ts";
import { newTestHome } from "../support/test-home.ts";

const built = buildPackage();

function emptyDisk(home: string): void {
  for (const name of readdirSync(home).filter((file) => file.startsWith("filler-"))) rmSync(join(home, name));
}

test.skipIf(!canMount)(
  "on a full disk a daemon is replaced, and ends with 0 when it is stopped",
  async () => {
    const home = mountSmallDisk("16m");
    const cli = openCliHome(home, built.cli);
    const first = await readyDaemonProgram(home, { program: built.daemon });
    const client = await connectedClient({ home });
    const { id, pid } = await client.process.start({ command: ["sleep", "300"], cwd: "/" });
    fillDisk(home);
    const second = await readyDaemonProgram(home, { program: built.daemon, args: ["--replace"] });
    expect(await first.exited).toBe(0);
    expect(readPresence(home)).toMatchObject({ state: "running", owner: { pid: second.pid } });
    expect(await client.process.get({ id })).toMatchObject({ state: "running", pid });
    const stopped = await cli.run(["daemon", "stop"]);
    expect(stopped).toMatchObject({
      code: 0,
      stdout: `The daemon, process ${second.pid}, has ended\n`,
      stderr: "",
    });
    expect(await second.exited).toBe(0);
    emptyDisk(home);
    expect(await cli.run(["ps", "-q"])).toMatchObject({ code: 0, stdout: `${id}\n` });
  },
);

test.skipIf(!canMount)(
  "on a read-only home a daemon is replaced, and ends with 0 when it is stopped",
  async () => {
    const runtimeDirectory = newTestHome();
    vi.stubEnv("XDG_RUNTIME_DIR", runtimeDirectory);
    onTestFinished(() => void vi.unstubAllEnvs());
    const environment = { XDG_RUNTIME_DIR: runtimeDirectory };
    const home = mountSmallDisk("16m");
    const cli = openCliHome(home, built.cli);
    expect(await cli.run(["run", "--", "sh", "-c", "echo kept; exit 3"])).toMatchObject({ code: 3 });
    await cli.run(["daemon", "stop"]);
    await killNow(launcherPidOf(home) ?? 0);
    await makeReadOnly(home);
    onTestFinished(() => remount(home, "rw"));
    const options = { program: built.daemon, environment };
    const first = await readyDaemonProgram(home, options);
    const second = await readyDaemonProgram(home, { ...options, args: ["--replace"] });
    expect(await first.exited).toBe(0);
    expect((await cli.run(["ps", "-a", "-q"], { environment })).stdout).toMatch(/^p_\w+\n$/);
    const stopped = await cli.run(["daemon", "stop"], { environment });
    expect(stopped, stopped.stderr).toMatchObject({ code: 0 });
    expect(await second.exited).toBe(0);
    expect(await cli.run(["daemon", "stop"], { environment })).toMatchObject({
      code: 0,
      stdout: `No daemon runs for ${home}\n`,
    });
  },
);
