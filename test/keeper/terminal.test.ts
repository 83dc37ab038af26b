// A terminal is a real one: size, controlling terminal, job control, hang-up.
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { KeptProcess, OutputEvent } from "../../src/keeper/index.ts";
import { collectOutput, openKeeperHome, outputContains, type KeeperHome } from "../support/keeper-home.ts";
import { testDirectory } from "../support/test-home.ts";

function readFds(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return []; // closed since: another process has it
    }
  });
}

async function openBash(
  keeper: KeeperHome,
): Promise<{ kept: KeptProcess; ended: Promise<{ exit: unknown }> }> {
  const run = await keeper.start({
    argv: ["/bin/bash", "--norc", "--noprofile", "-i"],
    mode: "pty",
    env: { PATH: "/usr/bin:/bin", PS1: "prompt> ", HISTFILE: "/dev/null" },
  });
  const kept = keeper.kept(run.id);
  await outputContains(kept, "prompt> ");
  return { kept, ended: run.ended };
}

test("the size is the one asked for, and a resize reaches the child as SIGWINCH", async () => {
  const keeper = await openKeeperHome();
  const script = "trap 'echo changed to $(stty size)' WINCH; stty size; while :; do sleep 0.02; done";
  const run = await keeper.shell(script, { mode: "pty", columns: 100, rows: 30 });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "30 100\r\n");
  await kept.resize(132, 50);
  await outputContains(kept, "changed to 50 132\r\n");
  expect(await kept.state()).toMatchObject({ columns: 132, rows: 50 });
  await kept.stop({ graceMs: 0 });
  const events: OutputEvent[] = await Array.fromAsync(keeper.kept(run.id).output({ marks: true }));
  const resized = events.flatMap((event) =>
    event.kind === "mark" && event.mark === "resized" ? [event] : [],
  );
  expect(resized.map((mark) => mark.value)).toEqual([132 * 65536 + 50]);
  // The mark lies between what was written in the old size and what was written in the new one.
  expect(resized[0]?.offset).toBe("30 100\r\n".length);
});

test("a size without columns or rows is refused, and so is a resize or hang-up of a pipe", async () => {
  const keeper = await openKeeperHome();
  const terminal = await keeper.start({ argv: ["/bin/cat"], mode: "pty" });
  await using kept = keeper.kept(terminal.id);
  await expect(kept.resize(0, 10)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  const pipe = await keeper.start({ argv: ["/bin/cat"], stdin: "open" });
  await using other = keeper.kept(pipe.id);
  await expect(other.resize(80, 24)).rejects.toMatchObject({ code: "NOT_A_TERMINAL" });
  await expect(other.hangup()).rejects.toMatchObject({ code: "NOT_A_TERMINAL" });
});

test("it is the child's controlling terminal", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("tty; echo through > /dev/tty; ps -o pid=,tpgid= -p $$", { mode: "pty" });
  await run.ended;
  const text = (await collectOutput(keeper.kept(run.id))).toString();
  expect(text).toMatch(/^\/dev\/pts\/\d+\r\nthrough\r\n/);
  expect(text.trim().split(/\s+/).slice(-2)).toEqual([String(run.pid), String(run.pid)]);
});

test("Ctrl-C that a client types reaches only the foreground job of an interactive shell", async () => {
  const keeper = await openKeeperHome();
  const { kept } = await openBash(keeper);
  await kept.write("sleep 601 &\n");
  await kept.write("sh -c 'echo job-$((1+1)); exec sleep 602'\n");
  await outputContains(kept, "job-2");
  await kept.write("\u0003");
  await outputContains(kept, "^C\r\nprompt> ");
  await kept.write("echo after-$?\n");
  await outputContains(kept, "after-130");
  await kept.write("kill -0 %1 && echo background-$((3+4))\n");
  await outputContains(kept, "background-7");
  expect(await kept.state()).toMatchObject({ state: "running" });
  kept.close();
});

test("Ctrl-Z stops the foreground job and fg continues it", async () => {
  const keeper = await openKeeperHome();
  const { kept } = await openBash(keeper);
  await kept.write("sh -c 'echo job-$((1+1)); exec cat'\n");
  await outputContains(kept, "job-2");
  await kept.write("first\n");
  await outputContains(kept, "first\r\nfirst\r\n");
  await kept.write("\u001a");
  await outputContains(kept, "Stopped");
  await kept.write("fg\n");
  await outputContains(kept, "fg\r\nsh -c");
  await kept.write("second\n");
  await outputContains(kept, "second\r\nsecond\r\n");
  await kept.write("\u0004");
  await outputContains(kept, "second\r\nsecond\r\nprompt> ");
  await kept.write("echo status-$?\n");
  await outputContains(kept, "status-0");
  expect(await kept.state()).toMatchObject({ state: "running" });
  kept.close();
});

test("a signal can be sent to the foreground job alone", async () => {
  const keeper = await openKeeperHome();
  const { kept } = await openBash(keeper);
  await kept.write("sh -c 'echo job-$((1+1)); exec sleep 602'; echo after-$?\n");
  await outputContains(kept, "job-2");
  expect(await kept.signal(15, "foreground")).toBe(1);
  await outputContains(kept, "after-143");
  expect(await kept.state()).toMatchObject({ state: "running" });
  kept.close();
});

test("a hang-up reaches the shell and its job", async () => {
  const keeper = await openKeeperHome();
  const { kept, ended } = await openBash(keeper);
  const note = join(testDirectory(), "hung-up");
  await kept.write(
    `sh -c 'trap "echo hup > ${note}; exit" HUP; echo job-$((1+1)); while :; do sleep 0.02; done'\n`,
  );
  await outputContains(kept, "job-2");
  await kept.hangup();
  expect((await ended).exit).toEqual({ kind: "signaled", signal: 1, coreDumped: false });
  await expect.poll(() => existsSync(note) && readFileSync(note, "utf8")).toBe("hup\n");
  kept.close();
});

test("a hang-up closes the copy that the launcher holds too", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/cat"], mode: "pty" });
  await using kept = keeper.kept(run.id);
  const terminals = (pid: number): number =>
    readFds(pid).filter((target) => target === "/dev/ptmx" || target === "/dev/pts/ptmx").length;
  await expect.poll(() => terminals(keeper.launcherPid())).toBe(1);
  await kept.hangup();
  expect((await run.ended).exit).toEqual({ kind: "signaled", signal: 1, coreDumped: false });
  expect(terminals(keeper.launcherPid())).toBe(0);
});

test("a child that closes the terminal before it exits is not hung up, and may open it again", async () => {
  const keeper = await openKeeperHome();
  const close = "echo before; exec 0<&- 1>&- 2>&-; sleep 0.1";
  const quiet = await keeper.shell(`${close}; exit 7`, { mode: "pty" });
  expect((await quiet.ended).exit).toEqual({ kind: "exited", code: 7 });
  const back = await keeper.shell(`${close}; exec 1>/dev/tty; echo back; exit 8`, { mode: "pty" });
  expect((await back.ended).exit).toEqual({ kind: "exited", code: 8 });
  expect((await collectOutput(keeper.kept(back.id))).toString()).toBe("before\r\nback\r\n");
});
