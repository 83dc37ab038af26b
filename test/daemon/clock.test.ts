// Somebody sets the clock while a daemon runs, or between two of them: nothing lasts longer or shorter for it, and nothing is lost.
import { writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { leaveMarker, readPresence, readStatusFile } from "../../src/home/index.ts";
import { identityOf, type SharedIdentity } from "../../src/util/process-identity.ts";
import { buildPackage } from "../support/built-package.ts";
import { openCliHome } from "../support/cli-home.ts";
import { connectedClient } from "../support/connected-client.ts";
import { readyDaemonProgram, type DaemonProgram } from "../support/daemon-program.ts";
import { newTestHome } from "../support/test-home.ts";

const built = buildPackage();
const preload = join(import.meta.dirname, "../fixtures/moved-clock.ts");
const hourMs = 3_600_000;
const jumps = { forward: 2 * hourMs, back: -2 * hourMs } as const;

interface Clocked {
  readonly home: string;
  /** Sets the wall clock of its daemons, at once. */
  readonly setOff: (byMs: number) => void;
  readonly start: (...args: readonly string[]) => Promise<DaemonProgram>;
}

function openHome(): Clocked {
  const { home } = openCliHome(newTestHome(), built.cli);
  const file = join(newTestHome(), "clock");
  const setOff = (byMs: number): void => writeFileSync(file, String(byMs));
  setOff(0);
  const environment = { NODE_OPTIONS: `--import=${preload}`, MOVED_CLOCK: file };
  const start = (...args: readonly string[]): Promise<DaemonProgram> =>
    readyDaemonProgram(home, { program: built.daemon, args, environment });
  return { home, setOff, start };
}

async function measuredMs(work: Promise<unknown>, beganMs = performance.now()): Promise<number> {
  await work;
  return performance.now() - beganMs;
}

function identity({ pid }: DaemonProgram): SharedIdentity {
  const found = identityOf(pid);
  if (found === undefined) throw new Error(`process ${pid} is gone`);
  return found;
}

test.for(["forward", "back"] as const)(
  "set %s while it runs: waits, drains and markers keep their time",
  async (way) => {
    const { home, setOff, start } = openHome();
    const daemon = await start();
    const client = await connectedClient({ home });
    const { id } = await client.process.start({ command: "sleep 300", cwd: "/" });
    const waiting = client.process.wait({ ids: [id], timeoutMs: 1_000 });
    setOff(jumps[way]);
    // The jump is seen: the test could not fail otherwise.
    expect(
      Math.abs(
        Date.parse((await client.process.start({ command: "true", cwd: "/" })).createdAt) - Date.now(),
      ),
    ).toBeGreaterThan(hourMs);
    const waitedMs = await measuredMs(waiting);
    expect(await waiting).toMatchObject({ outcome: "timeout" });
    expect(waitedMs).toBeLessThan(20_000);
    client.process.wait({ ids: [id] }).catch(() => undefined); // holds the drain; its client is closed before the answer
    await expect
      .poll(async () => (await client.daemon.idle()).sources)
      .toContainEqual({ name: "waits", count: 1 });
    const beganMs = performance.now(); // before it can hear of it
    leaveMarker("plannedStop", { home, target: identity(daemon), drainMs: 700 });
    daemon.child.kill("SIGTERM");
    const drainedMs = await measuredMs(daemon.exited, beganMs);
    expect(await daemon.exited).toBe(0);
    expect(drainedMs).toBeGreaterThan(650);
    expect(drainedMs).toBeLessThan(20_000);
  },
);

test.for(["forward", "back"] as const)("set %s: a marker of two minutes ago stays worthless", async (way) => {
  const { home, setOff, start } = openHome();
  const daemon = await start();
  const twoMinutesAgo = (): number => Math.round(uptime() * 1_000) - 120_000;
  leaveMarker("plannedStop", { home, target: identity(daemon) }, twoMinutesAgo);
  setOff(jumps[way]);
  daemon.child.kill("SIGTERM");
  expect(await daemon.exited).toBe(143);
});

test.for(["forward", "back"] as const)(
  "set %s between two daemons: the next one takes everything over",
  async (way) => {
    const { home, setOff, start } = openHome();
    const first = await start();
    const client = await connectedClient({ home });
    const { id, pid } = await client.process.start({ command: "sleep 300", cwd: "/" });
    setOff(jumps[way]);
    const second = await start("--replace");
    expect(await first.exited).toBe(0);
    expect(readPresence(home)).toMatchObject({ state: "running", owner: { pid: second.pid } });
    expect(readStatusFile(home)).toMatchObject({ previousEnd: { how: "left", pid: first.pid } });
    expect(await client.process.get({ id })).toMatchObject({ state: "running", pid });
    second.child.kill("SIGKILL");
    await second.exited;
    setOff(0);
    const third = await start();
    expect(readStatusFile(home)).toMatchObject({
      writer: { pid: third.pid },
      previousEnd: { how: "killed", pid: second.pid },
    });
    expect(await client.process.get({ id })).toMatchObject({ state: "running", pid });
  },
);
