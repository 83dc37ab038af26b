import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRuntime } from "../../src/sdk/index.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { newTestHome } from "../support/test-home.ts";

test("a program can hold a home itself: it takes the daemon's lock, and its processes outlive it", async () => {
  const home = newTestHome();
  const first = await createRuntime({ home });
  expect(first.isEmbedded).toBe(true);
  const { id, pid } = await first.client.process.start({ command: "sleep 1000", cwd: "/" });
  const second = await createRuntime({ home });
  expect(second.isEmbedded).toBe(false);
  expect((await second.client.process.get({ id })).pid).toBe(pid);
  await second.close();
  await first.close();
  const third = await createRuntime({ home });
  expect(third.isEmbedded).toBe(true);
  expect(await third.client.process.get({ id })).toMatchObject({ state: "running", pid });
  await third.client.process.stop({ ids: [id], graceMs: 0 });
  await third.close();
  const launcher = /^pid (\d+)$/m.exec(readFileSync(join(home, "launcher.lock"), "utf8"))?.[1];
  process.kill(Number(launcher), "SIGKILL");
});

test("where a daemon has the home, the runtime is a client of it", async () => {
  const daemon = await openDaemonHome();
  await using runtime = await createRuntime({ home: daemon.home });
  expect(runtime.isEmbedded).toBe(false);
  expect(await runtime.client.daemon.status({})).toMatchObject({ pid: daemon.pid(), home: daemon.home });
});
