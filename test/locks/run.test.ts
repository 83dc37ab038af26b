// `holdfast lock run`: the lock is the command's, from before its first instruction until its end, whatever happens to the one that
// started it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acquireLock, listLocks, ownerOf } from "../../src/locks/index.ts";
import { openCliHome, type CliAnswer } from "../support/cli-home.ts";
import { cliProgram } from "../support/programs.ts";
import { openCliTerminal } from "../support/cli-terminal.ts";
import { openKeeperHome } from "../support/keeper-home.ts";
import { LineProcess } from "../support/line-process.ts";
import { newLockDirectory, onlyLock, startSleeper } from "../support/lock-owners.ts";
import { isAlive, killNow, thaw, untilDead } from "../support/process-facts.ts";
import { newTestHome } from "../support/test-home.ts";

const self = ownerOf(process.pid);

interface LockRun {
  readonly directory: string;
  /** To its end. */
  readonly run: (args: readonly string[], input?: string) => Promise<CliAnswer>;
  readonly start: (...args: string[]) => LineProcess;
}

function openLockRun(): LockRun {
  const cli = openCliHome();
  const directory = newLockDirectory();
  const environment = { HOLDFAST_LOCK_DIR: directory, "odd name": "é=1" };
  return {
    directory,
    run: (args, input) =>
      cli.run(["lock", "run", "s", "token", ...args], {
        environment,
        ...(input === undefined ? {} : { input }),
      }),
    start: (...args) =>
      new LineProcess([process.execPath, cliProgram, "lock", "run", "s", "token", ...args], { environment }),
  };
}

test("input, output, environment and exit code are the command's; afterwards the lock is free", async () => {
  const { directory, run } = openLockRun();
  const script = "cat; echo err >&2; [ -e /proc/$$/fd/3 ] && echo leaked; exit 9";
  const answer = await run(["--meta", "a=b", "--", "sh", "-c", script], "in\n");
  expect(answer).toMatchObject({ code: 9, stdout: "in\n", stderr: "err\n" });
  const limited = await openCliHome().run(["lock", "run", "s", "t", "--", "sh", "-c", "ulimit -Sn; env"], {
    environment: { HOLDFAST_LOCK_DIR: directory, HOLDFAST_SOFT_NOFILE: "321" },
  });
  expect(limited.stdout).toMatch(/^321\n/);
  expect(limited.stdout).not.toContain("SOFT_NOFILE");
  // Which a shell in between would have dropped.
  expect((await run(["--", "env"])).stdout.split("\n")).toContain("odd name=é=1");
  expect((await listLocks({ directory })).locks).toEqual([]);
});

test("a signal that ends the command is 128 + its number; what cannot be run is 127 or 126", async () => {
  const { directory, run } = openLockRun();
  expect(await run(["--", "sh", "-c", "kill -TERM $$"])).toMatchObject({ code: 143 });
  expect(await run(["--", "no-such-program"])).toMatchObject({
    code: 127,
    stderr: "holdfast: no-such-program: No such file or directory\n",
  });
  expect(await run(["--", "/etc/passwd"])).toMatchObject({ code: 126 });
  expect((await listLocks({ directory })).locks).toEqual([]);
});

test("the owner is the command itself, under its own name", async () => {
  const { directory, start } = openLockRun();
  const running = start("--meta", "for=test", "--", "sh", "-c", "echo $$; exec cat");
  const pid = Number(await running.next());
  expect(await onlyLock(directory)).toMatchObject({
    owner: { pid, command: "sh" },
    meta: { for: "test" },
    state: "running",
  });
  await running.end();
});

test("while another has it the command does not run; with --wait it runs afterwards", async () => {
  const { directory, run, start } = openLockRun();
  const first = start("--", "sh", "-c", "echo in; exec cat");
  expect(await first.next()).toBe("in");
  const mark = join(newTestHome(), "ran");
  const refused = await run(["--", "touch", mark]);
  expect(refused).toMatchObject({
    code: 6,
    stdout: "",
    stderr: expect.stringContaining("[LOCK_HELD]") as string,
  });
  expect(existsSync(mark)).toBe(false);
  const waiting = run(["--wait", "30s", "--", "touch", mark]);
  await first.end();
  expect(await waiting).toMatchObject({ code: 0 });
  expect(existsSync(mark)).toBe(true);
  expect((await listLocks({ directory })).locks).toEqual([]);
});

test.for(["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const)(
  "%s is passed on to the command",
  async (signal) => {
    const { start } = openLockRun();
    const script = `trap 'echo got; exit 7' ${signal.slice(3)}; echo ready; while :; do sleep 0.05; done`;
    const running = start("--", "sh", "-c", script);
    expect(await running.next()).toBe("ready");
    running.child.kill(signal);
    expect(await running.next()).toBe("got");
    expect((await running.ended).code).toBe(7);
  },
);

test("kill -9 of `lock run`: the command goes on and keeps its lock until its own end", async () => {
  const { directory, start } = openLockRun();
  const running = start("--", "sh", "-c", "echo $$; exec sleep 300");
  const pid = Number(await running.next());
  await running.kill();
  expect(isAlive(pid)).toBe(true);
  const name = { directory, scope: "s", identity: "token" };
  await expect(acquireLock({ ...name, owner: self })).rejects.toMatchObject({ code: "LOCK_HELD" });
  await killNow(pid);
  expect(await acquireLock({ ...name, owner: self })).toMatchObject({
    outcome: "taken_over",
    replaced: { owner: { pid } },
  });
});

test.for(["SIGKILL", "SIGTERM"] as const)("%s while it waits: the command never begins", async (signal) => {
  const { directory, start } = openLockRun();
  await acquireLock({ directory, scope: "s", identity: "token", owner: ownerOf(startSleeper().pid) });
  const mark = join(newTestHome(), "ran");
  const waiting = start("--wait", "60s", "--", "touch", mark);
  const children = () => readFileSync(`/proc/${waiting.pid}/task/${waiting.pid}/children`, "utf8").trim();
  await expect.poll(children, { timeout: 10_000 }).toMatch(/^\d+$/);
  const gate = Number(children());
  waiting.child.kill(signal);
  expect((await waiting.ended).code).toBe(signal === "SIGTERM" ? 143 : null);
  await untilDead(gate);
  expect(existsSync(mark)).toBe(false);
  expect(await onlyLock(directory)).toMatchObject({ state: "running" });
});

test("a command that was stopped may lose its lock: that is told in the end", async () => {
  const { directory, run } = openLockRun();
  const script = "kill -STOP $$; exit 3";
  const running = run(["--", "sh", "-c", script]);
  await expect
    .poll(async () => (await listLocks({ directory })).locks[0]?.state, { timeout: 10_000 })
    .toBe("stopped");
  const { owner } = await onlyLock(directory);
  await acquireLock({ directory, scope: "s", identity: "token", owner: self });
  thaw(owner?.pid ?? 0);
  expect(await running).toMatchObject({
    code: 3,
    stderr: "holdfast: the lock s was lost before the command ended: it was stopped, and another took it\n",
  });
  expect(await onlyLock(directory)).toMatchObject({ owner: { pid: process.pid } });
});

test("Ctrl-C at a terminal reaches the command once", async () => {
  const keeper = await openKeeperHome();
  const cli = openCliHome();
  const script =
    "n=0; trap 'n=$((n+1)); echo int $n' INT; echo ready; while :; do read line && [ \"$line\" = end ] && exit $n; done";
  const terminal = await openCliTerminal(
    keeper,
    cli,
    ["lock", "run", "s", "token", "--", "sh", "-c", script],
    {
      environment: { HOLDFAST_LOCK_DIR: newLockDirectory() },
    },
  );
  await terminal.shows("ready");
  await terminal.type("\u0003");
  await terminal.shows("int 1");
  await terminal.type("end\n");
  expect((await terminal.ended).exit).toEqual({ kind: "exited", code: 1 });
});
