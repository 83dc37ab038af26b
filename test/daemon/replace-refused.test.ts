// When taking over is not simple: an owner that hangs, cannot be killed, is another's or is elsewhere; and a replacer that could not
// take over.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { endDaemon, findOwner, homeFiles, readPresence, type EndOptions } from "../../src/home/index.ts";
import { buildPackage } from "../support/built-package.ts";
import { openCliHome } from "../support/cli-home.ts";
import { connectedClient } from "../support/connected-client.ts";
import { readyDaemonProgram, runDaemonProgram, type DaemonProgram } from "../support/daemon-program.ts";
import { holdHome } from "../support/held-home.ts";
import { freeze, isAlive, killNow, untilDead } from "../support/process-facts.ts";
import { newTestHome, testDirectory } from "../support/test-home.ts";

const built = buildPackage();
const isRoot = process.getuid?.() === 0;

function newHome(): string {
  return openCliHome(newTestHome(), built.cli).home;
}

function replacer(home: string): DaemonProgram {
  return runDaemonProgram(home, { program: built.daemon, args: ["--replace", "--json"] });
}

function markersIn(home: string): string[] {
  return readdirSync(home).filter((name) => /takeover|planned-stop/.test(name));
}

/** Ends whoever has the home, with little patience. */
async function endOwner(home: string, limits: Pick<EndOptions, "graceMs" | "killMs">): Promise<string> {
  const owner = await findOwner(home);
  if (owner === undefined) throw new Error("nobody has the home");
  const ask = (): Promise<void> => Promise.reject(new Error("asked instead of signalled"));
  return await endDaemon({ home, owner, kind: "takeover", until: "released", ask, ...limits });
}

test("an owner that is stopped by a signal is killed, and its processes go on", async () => {
  const home = newHome();
  const old = await readyDaemonProgram(home, { program: built.daemon });
  const client = await connectedClient({ home });
  const { id, pid } = await client.process.start({ command: ["sleep", "300"], cwd: "/" });
  await freeze(old.pid);
  const next = replacer(home);
  expect(await next.outcome, next.stderr()).toBe("ready");
  expect(await old.exited).toBeNull();
  expect(await client.process.get({ id })).toMatchObject({ state: "running", pid });
  expect(markersIn(home)).toEqual([]);
});

test("one that is stopped cannot heed SIGTERM, and is given no time for that", async () => {
  const home = newTestHome();
  const holder = await holdHome(home);
  await freeze(holder.pid);
  expect(await endOwner(home, { graceMs: 3_600_000 })).toBe("killed");
  await untilDead(holder.pid);
});

test("an owner that does not heed SIGTERM is killed after a while", async () => {
  const home = newTestHome();
  const deaf = "NODE_OPTIONS=--import=data:text/javascript,process.on('SIGTERM',()=>undefined)";
  const holder = await holdHome(home, [], ["/usr/bin/env", deaf]);
  expect(await endOwner(home, { graceMs: 300 })).toBe("killed");
  await untilDead(holder.pid);
  expect(markersIn(home)).toEqual([]);
});

test("an owner that heeds it is not killed", async () => {
  const home = newTestHome();
  const holder = await holdHome(home);
  expect(await endOwner(home, {})).toBe("ended");
  expect(holder.child.signalCode ?? "exited").not.toBe("SIGKILL");
});

const freezer = "/sys/fs/cgroup/freezer";

test.skipIf(!isRoot || !existsSync(freezer))(
  "an owner that not even SIGKILL ends stays the only one: DAEMON_STUCK, and no marker is left",
  async () => {
    const home = newTestHome();
    const holder = await holdHome(home);
    const group = join(freezer, `holdfast-${process.pid}`);
    mkdirSync(group);
    onTestFinished(async () => {
      writeFileSync(join(group, "freezer.state"), "THAWED");
      await holder.kill();
      rmdirSync(group);
    });
    writeFileSync(join(group, "cgroup.procs"), String(holder.pid));
    writeFileSync(join(group, "freezer.state"), "FROZEN");
    const ending = endOwner(home, { graceMs: 100, killMs: 300 });
    await expect(ending).rejects.toMatchObject({ code: "DAEMON_STUCK", details: { pid: holder.pid } });
    expect(markersIn(home)).toEqual([]);
    expect(readPresence(home)).toMatchObject({ state: "running", owner: { pid: holder.pid } });
  },
);

test("one whose configuration is wrong replaces nobody", async () => {
  const home = newHome();
  const old = await readyDaemonProgram(home, { program: built.daemon });
  writeFileSync(join(home, "holdfast.yaml"), "stop:\n  graceMs: soon\n");
  const next = replacer(home);
  expect(await next.outcome).toBe(78);
  expect(JSON.parse(next.stderr())).toMatchObject({ error: { code: "CONFIG_INVALID" } });
  expect(markersIn(home)).toEqual([]);
  const client = await connectedClient({ home });
  expect(await client.daemon.status()).toMatchObject({ pid: old.pid, state: "running" });
  writeFileSync(join(home, "holdfast.yaml"), "");
});

test.skipIf(!isRoot)("an owner in another container is refused and not touched", async () => {
  const home = newHome();
  const elsewhere = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];
  const holder = await holdHome(home, [], elsewhere);
  const next = replacer(home);
  expect(await next.outcome).toBe(69);
  expect(next.stderr()).toContain('"code":"DAEMON_FOREIGN"');
  expect(markersIn(home)).toEqual([]);
  const stopped = spawnSync(process.execPath, [built.cli, "daemon", "stop"], {
    env: { ...process.env, HOLDFAST_HOME: home },
    encoding: "utf8",
  });
  expect(stopped).toMatchObject({ status: 6 });
  expect(stopped.stderr).toContain("[DAEMON_FOREIGN]");
  expect(holder.child.exitCode).toBeNull();
  await holder.kill();
});

test.skipIf(!isRoot)(
  "another user's daemon may not be signalled: told, and the marker is taken back",
  async () => {
    const home = newTestHome();
    const holder = await holdHome(home);
    for (const path of [home, homeFiles(home).record, homeFiles(home).status]) chmodSync(path, 0o777);
    execFileSync("chmod", ["a+x", testDirectory()]);
    execFileSync("chmod", ["-R", "a+rX", join(built.cli, "../..")]);
    const another = ["--reuid=65534", "--regid=65534", "--clear-groups", process.execPath];
    const answer = spawnSync("setpriv", [...another, built.cli, "daemon", "stop"], {
      env: { PATH: process.env["PATH"], HOME: home, HOLDFAST_HOME: home },
      encoding: "utf8",
    });
    expect(answer.stderr).toContain("[DAEMON_DENIED]");
    expect(answer).toMatchObject({ status: 4, stdout: "" });
    expect(markersIn(home)).toEqual([]);
    expect(isAlive(holder.pid)).toBe(true);
    await killNow(holder.pid);
  },
);
