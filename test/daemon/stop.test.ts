// How a daemon ends, and what its parent hears of it. Whoever is not proven to be the daemon is never signalled.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { endDaemon, homeFiles, leaveMarker, readPresence, readStatusFile } from "../../src/home/index.ts";
import { createRuntime } from "../../src/sdk/index.ts";
import { identityOf, type SharedIdentity } from "../../src/util/process-identity.ts";
import { buildPackage } from "../support/built-package.ts";
import { openCliHome, type CliHome } from "../support/cli-home.ts";
import { connectedClient } from "../support/connected-client.ts";
import {
  readyDaemonProgram,
  runDaemonProgram,
  type DaemonProgram,
  type DaemonProgramOptions,
} from "../support/daemon-program.ts";
import { holdHome } from "../support/held-home.ts";
import { freeze, isAlive, killNow, launcherPidOf, untilDead } from "../support/process-facts.ts";
import { expectUntouched, giveToStranger, withItsNumber } from "../support/stranger.ts";
import { newTestHome } from "../support/test-home.ts";

// Built ones start in half the time of the sources.
const built = buildPackage();

async function ready(home: string, options: DaemonProgramOptions = {}): Promise<DaemonProgram> {
  return await readyDaemonProgram(home, { program: built.daemon, ...options });
}

function commandLine(): CliHome {
  return openCliHome(newTestHome(), built.cli);
}

function identity(daemon: DaemonProgram): SharedIdentity {
  const found = identityOf(daemon.pid);
  if (found === undefined) throw new Error(`process ${daemon.pid} is gone`);
  return found;
}

/** A home whose launcher goes with the test. */
function homeOfItsOwn(): string {
  const home = newTestHome();
  onTestFinished(async () => {
    const launcher = launcherPidOf(home);
    if (launcher !== undefined) await killNow(launcher);
  });
  return home;
}

function markersIn(home: string): string[] {
  return readdirSync(home).filter((name) => /takeover|planned-stop/.test(name));
}

test("a signal nobody announced ends with 143, an announced one and Ctrl-C with 0; the status file says why", async () => {
  const home = homeOfItsOwn();
  const bare = await ready(home);
  bare.child.kill("SIGTERM");
  expect(await bare.exited).toBe(143);
  expect(readStatusFile(home)).toMatchObject({
    state: "stopped",
    exitReason: "SIGTERM that nobody announced",
  });
  for (const [kind, reason] of [
    ["plannedStop", `told to stop by process ${process.pid}`],
    ["takeover", `replaced by process ${process.pid}`],
  ] as const) {
    const announced = await ready(home);
    leaveMarker(kind, { home, target: identity(announced) });
    announced.child.kill("SIGTERM");
    expect(await announced.exited, kind).toBe(0);
    expect(readStatusFile(home)).toMatchObject({ state: "stopped", exitReason: reason });
    expect(markersIn(home)).toEqual([]);
  }
  const interrupted = await ready(home);
  interrupted.child.kill("SIGINT");
  expect(await interrupted.exited).toBe(0);
  expect(existsSync(homeFiles(home).record)).toBe(false);
});

test("a marker of a replacer that crashed ends nobody, and after a minute it means nothing", async () => {
  const home = homeOfItsOwn();
  const daemon = await ready(home);
  const client = await connectedClient({ home });
  leaveMarker("takeover", { home, target: identity(daemon) });
  expect(await client.daemon.status()).toMatchObject({ pid: daemon.pid, state: "running" });
  const aMinuteAgo = (): number => Math.round(uptime() * 1_000) - 61_000;
  leaveMarker("takeover", { home, target: identity(daemon) }, aMinuteAgo);
  daemon.child.kill("SIGTERM");
  expect(await daemon.exited).toBe(143);
  expect(markersIn(home)).toEqual([]);
});

test("markers that name somebody else, another home or nothing are removed and do not excuse a signal", async () => {
  const [home, other] = [homeOfItsOwn(), newTestHome()];
  const daemon = await ready(home);
  const target = identity(daemon);
  leaveMarker("plannedStop", { home: other, target });
  writeFileSync(homeFiles(home).plannedStop, readFileSync(homeFiles(other).plannedStop));
  leaveMarker("takeover", { home, target: { ...target, startTime: target.startTime - 1 } });
  daemon.child.kill("SIGTERM");
  expect(await daemon.exited).toBe(143);
  expect(markersIn(home)).toEqual([]);
});

test("asked over its socket it ends with 0; asked to come back under a service manager with 75", async () => {
  const home = homeOfItsOwn();
  const daemon = await ready(home);
  const client = await connectedClient({ home });
  expect(await client.daemon.stop()).toEqual({ stopping: true, pid: daemon.pid });
  expect(await daemon.exited).toBe(0);
  const supervised = await ready(home, { supervisedBy: "systemd" });
  expect(readPresence(home).status?.supervisor.kind).toBe("systemd");
  await (await connectedClient({ home })).daemon.stop({ restart: true });
  expect(await supervised.exited).toBe(75);
  expect(readStatusFile(home)).toMatchObject({ state: "stopped", restartRequested: true });
});

test("`daemon stop` of one that is stopped by a signal kills it, says so, and loses nothing", async () => {
  const cli = commandLine();
  const id = await cli.background("--", "sleep", "60");
  const { pid = 0 } = readPresence(cli.home).owner ?? {};
  await freeze(pid);
  expect(await cli.json(["daemon", "stop", "--json"])).toEqual({ stopped: true, pid, killed: true });
  await untilDead(pid);
  expect((await cli.run(["ps", "-q"])).stdout).toBe(`${id}\n`);
});

test("`daemon stop` from inside a kept process of the same home ends the daemon and not that process", async () => {
  const cli = commandLine();
  const script = `read go; ${process.execPath} ${built.cli} daemon stop; echo "told $?"; exec sleep 60`;
  const id = await cli.background("-i", "--", "sh", "-c", script);
  const { pid } = readPresence(cli.home).owner ?? { pid: 0 };
  await cli.run(["send", id, "go", "--enter"]);
  // This wait is cut off by the stop, and brings the daemon back.
  expect(await cli.run(["wait", id, "--for", "log:told 0"])).toMatchObject({ code: 0 });
  await untilDead(pid);
  expect((await cli.run(["logs", id])).stdout).toBe(`The daemon, process ${pid}, has ended\ntold 0\n`);
  expect((await cli.run(["ps", "-q"])).stdout).toBe(`${id}\n`);
});

test(
  "a recycled pid under the record of a killed daemon is never signalled",
  withItsNumber(async () => {
    const cli = commandLine();
    const daemon = await ready(cli.home);
    const dead = identity(daemon);
    await killNow(daemon.pid);
    await daemon.exited;
    const record = readFileSync(homeFiles(cli.home).record, "utf8");
    const stranger = await giveToStranger(daemon.pid);
    // Also by somebody who looked before the number changed hands.
    const owner = { identity: dead, liveness: "running", maySignal: true, isEmbedded: false } as const;
    const ask = (): Promise<void> => Promise.reject(new Error("asked"));
    const options = { home: cli.home, owner, kind: "takeover", until: "gone", ask } as const;
    expect(await endDaemon(options)).toBe("gone");
    expectUntouched(stranger);
    expect(await cli.run(["daemon", "stop"])).toMatchObject({
      code: 0,
      stdout: `No daemon runs for ${cli.home}\n`,
    });
    expect(readFileSync(homeFiles(cli.home).record, "utf8")).toBe(record);
    const next = await ready(cli.home, { args: ["--replace"] });
    expectUntouched(stranger);
    expect(readPresence(cli.home)).toMatchObject({ state: "running", owner: { pid: next.pid } });
    expect(markersIn(cli.home)).toEqual([]);
  }),
);

test("who has the lock without a record is asked and, since nobody answers, left alone", async () => {
  const cli = commandLine();
  const first = await ready(cli.home);
  await killNow(first.pid);
  const holder = await holdHome(cli.home, ["no-record"]);
  const answer = await cli.run(["daemon", "stop"]);
  expect(answer).toMatchObject({ code: 6, stdout: "" });
  expect(answer.stderr).toContain(`Process ${holder.pid} has ${cli.home}, and it cannot be proven`);
  expect(answer.stderr).toContain("[DAEMON_UNPROVEN]");
  const replacing = runDaemonProgram(cli.home, { program: built.daemon, args: ["--replace", "--json"] });
  expect(await replacing.outcome).toBe(69);
  expect(replacing.stderr()).toContain("DAEMON_UNPROVEN");
  expect(isAlive(holder.pid)).toBe(true);
  await holder.kill();
  rmSync(homeFiles(cli.home).record);
});

test("a program with a daemon inside lets go of the home and lives on, whether it is stopped or replaced", async () => {
  const cli = commandLine();
  const runtime = await createRuntime({ home: cli.home });
  onTestFinished(() => runtime.close());
  const { id } = await runtime.client.process.start({ command: "sleep 60", cwd: "/" });
  const stopped = await cli.run(["daemon", "stop"]);
  expect(stopped).toMatchObject({
    code: 0,
    stdout: `Process ${process.pid} has let go of ${cli.home} and goes on\n`,
  });
  const again = await createRuntime({ home: cli.home });
  onTestFinished(() => again.close());
  expect(again.isEmbedded).toBe(true);
  const next = await ready(cli.home, { args: ["--replace"] });
  const client = await connectedClient({ home: cli.home });
  expect(await client.daemon.status()).toMatchObject({ pid: next.pid });
  expect(await client.process.get({ id })).toMatchObject({ state: "running" });
});

test("kill -9, and the next one starts at once", async () => {
  const home = homeOfItsOwn();
  for (let round = 0; round < 3; round++) {
    const daemon = await ready(home);
    expect(readPresence(home)).toMatchObject({ state: "running", owner: { pid: daemon.pid } });
    daemon.child.kill("SIGKILL");
    expect(await daemon.exited).toBeNull();
    expect(readPresence(home)).toMatchObject({ state: "stale", owner: null });
  }
});
