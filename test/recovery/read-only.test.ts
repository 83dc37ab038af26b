import { expect, onTestFinished, test, vi } from "vitest";
import { killNow, launcherPidOf } from "../support/process-facts.ts";
import { connectedClient } from "../support/connected-client.ts";
import { ask, runToEnd } from "../support/daemon-calls.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { canMount, makeReadOnly, mountSmallDisk, remount } from "../support/small-disk.ts";
import { newTestHome } from "../support/test-home.ts";

test.skipIf(!canMount)(
  "on a read-only home a daemon answers reads, refuses changes with a code, and finds its way back",
  async () => {
    const runtimeDirectory = newTestHome();
    vi.stubEnv("XDG_RUNTIME_DIR", runtimeDirectory);
    onTestFinished(() => void vi.unstubAllEnvs());
    const home = mountSmallDisk("16m");
    const daemon = await openDaemonHome({ home, environment: { XDG_RUNTIME_DIR: runtimeDirectory } });
    const ended = await runToEnd(daemon, "echo kept; exit 3");
    await daemon.terminate();
    await killNow(launcherPidOf(home) ?? 0);
    await makeReadOnly(home);
    await daemon.start();
    const client = await connectedClient({ home });
    expect(await client.daemon.status({})).toMatchObject({ state: "degraded", home });
    expect((await client.process.list({})).processes.map((process) => process.id)).toEqual([ended]);
    expect(await client.process.get({ id: ended })).toMatchObject({ exit: { kind: "exited", code: 3 } });
    expect((await client.process.output({ id: ended })).text).toBe("kept\n");
    await expect(client.process.start({ command: "true", cwd: "/" })).rejects.toMatchObject({
      code: "STORE_READ_ONLY",
    });
    client.close();
    await daemon.terminate();
    remount(home, "rw");
    await daemon.start();
    const again = await runToEnd(daemon, "exit 4");
    expect(await ask(daemon, "process.get", { id: again })).toMatchObject({ exit: { code: 4 } });
  },
);
