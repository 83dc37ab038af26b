// At a terminal `run` gives the process a terminal, and `attach` comes back to it.
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import type { ProcessDetail } from "../../src/protocol/process.ts";
import { openCliHome } from "../support/cli-home.ts";
import { cliProgram } from "../support/programs.ts";
import { openCliTerminal, openTerminal } from "../support/cli-terminal.ts";
import { openKeeperHome } from "../support/keeper-home.ts";

const leave = "\u001cd";

test("the process has a terminal of the same size, and keys and resizes reach it", async () => {
  const [cli, keeper] = [openCliHome(), await openKeeperHome()];
  await cli.run(["daemon", "start"]);
  const script = "trap 'echo now $(stty size)' WINCH; tty; stty size; while :; do sleep 0.05; done";
  const terminal = await openCliTerminal(keeper, cli, ["run", "--name", "t", "--", "sh", "-c", script], {
    columns: 90,
    rows: 30,
  });
  await terminal.shows("/dev/pts/");
  await terminal.shows("30 90\r\n");
  await terminal.resize(100, 40);
  await terminal.shows("now 40 100\r\n");
  await terminal.type("\u0003");
  expect((await terminal.ended).exit).toEqual({ kind: "exited", code: 130 });
});

test("Ctrl-\\ d leaves it running and says how to come back; attach shows where it is and passes its code on", async () => {
  const [cli, keeper] = [openCliHome(), await openKeeperHome()];
  await cli.run(["daemon", "start"]);
  const script = "echo begin; while read line; do echo got $line; test $line = end && exit 7; done";
  const first = await openCliTerminal(keeper, cli, ["run", "--name", "t", "--", "sh", "-c", script]);
  await first.shows("begin");
  await first.type("one\r");
  await first.shows("got one");
  await first.type(leave);
  expect((await first.ended).exit).toEqual({ kind: "exited", code: 0 });
  expect(await first.text()).toContain("come back with: holdfast attach t");
  expect(await cli.json<ProcessDetail>(["show", "t", "--json"])).toMatchObject({ state: "running" });
  await cli.run(["send", "t", "two", "--enter"]);
  const second = await openCliTerminal(keeper, cli, ["attach", "t"], { columns: 70, rows: 20 });
  await second.shows("got two");
  await second.type("three\r");
  await second.shows("got three");
  expect(await cli.json<ProcessDetail>(["show", "t", "--json"])).toMatchObject({ columns: 70, rows: 20 });
  await second.type("end\r");
  expect((await second.ended).exit).toEqual({ kind: "exited", code: 7 });
});

test("the terminal is as it was, however the stay ended", async () => {
  const [cli, keeper] = [openCliHome(), await openKeeperHome()];
  await cli.run(["daemon", "start"]);
  const shell = await openTerminal(keeper, ["/bin/bash", "--norc", "--noprofile", "-i"], {
    environment: {
      ...cli.environment,
      PS1: "shell \\#> ",
      HISTFILE: "/dev/null",
      CLI: cliProgram,
      NODE: process.execPath,
    },
  });
  await shell.shows("shell 1> ");
  // Raw mode, the alternate screen, a hidden cursor: what a full-screen program does and, killed, does not undo.
  const screen = "printf '\\033[?1049h\\033[?25lfull screen'; exec sleep 60";
  await shell.type(`before=$(stty -g); $NODE $CLI run --name s -- sh -c "${screen}"\r`);
  await shell.shows("\u001b[?1049h\u001b[?25lfull screen");
  await shell.type(leave);
  await shell.shows("\u001b[?25h\u001b[?1049l");
  // Until the shell has the terminal again, what is typed is the command's.
  await shell.shows("shell 2> ");
  await shell.type('[ "$before" = "$(stty -g)" ] && echo le""ft clean\r');
  await shell.shows("left clean");
  await shell.type("$NODE $CLI attach s\r");
  await shell.shows("Ctrl-\\ d leaves it]\r\n\u001b[?1049h");
  await cli.run(["stop", "s", "--grace", "0"]);
  await shell.shows("shell 4> ");
  await shell.type('[ "$before" = "$(stty -g)" ] && echo en""ded clean\r');
  await shell.shows("ended clean");
  // Left twice, and shown again once in between.
  expect((await shell.text()).split("\u001b[?1049l").length - 1).toBe(2);
});

test("a hangup of the terminal leaves an attached process alone, and ends one that was run", async () => {
  const [cli, keeper] = [openCliHome(), await openKeeperHome()];
  const id = await cli.background("--pty", "--name", "kept", "--", "sh", "-c", "echo ready; exec sleep 60");
  const attached = await openCliTerminal(keeper, cli, ["attach", "kept"]);
  await attached.shows("ready");
  await attached.signal("SIGHUP");
  await attached.ended;
  expect(await cli.json<ProcessDetail>(["show", id, "--json"])).toMatchObject({ state: "running" });
  const run = await openCliTerminal(keeper, cli, [
    "run",
    "--name",
    "run",
    "--",
    "sh",
    "-c",
    "echo begun; exec sleep 60",
  ]);
  await run.shows("begun");
  await run.signal("SIGHUP");
  expect((await run.ended).exit).toEqual({ kind: "exited", code: 129 });
});

test("Ctrl-C leaves an attached process with pipes alone", async () => {
  const [cli, keeper] = [openCliHome(), await openKeeperHome()];
  const id = await cli.background("-i", "--", "sh", "-c", "echo ready; exec cat");
  const attached = await openCliTerminal(keeper, cli, ["attach", id]);
  await attached.shows("ready");
  await attached.type("typed\r");
  await attached.shows("typed\r\ntyped\r\n");
  await attached.type("\u0003");
  expect((await attached.ended).exit).toEqual({ kind: "exited", code: 0 });
  expect(await cli.json<ProcessDetail>(["show", id, "--json"])).toMatchObject({ state: "running" });
});

test("a command in the background of a shell does not touch the terminal", async () => {
  const [cli, keeper] = [openCliHome(), await openKeeperHome()];
  await cli.run(["daemon", "start"]);
  const shell = await openTerminal(keeper, ["/bin/bash", "--norc", "--noprofile", "-i"], {
    environment: {
      ...cli.environment,
      PS1: "shell> ",
      HISTFILE: "/dev/null",
      CLI: cliProgram,
      NODE: process.execPath,
    },
  });
  await shell.type("$NODE $CLI run -- sh -c 'echo quiet; exit 3' &\r");
  await shell.shows("quiet");
  await shell.type("wait $!; echo code $?\r");
  await shell.shows("code 3");
  expect(await shell.text()).not.toMatch(/Stopped/);
});

test("tables fit the terminal; colours are there, and not with NO_COLOR", async () => {
  const [cli, keeper] = [openCliHome(), await openKeeperHome()];
  await cli.background("--name", "long", "--", "sh", "-c", `: ${"x".repeat(200)}; exec sleep 60`);
  const coloured = await openCliTerminal(keeper, cli, ["ps"], { columns: 72 });
  await coloured.ended;
  const text = await coloured.text();
  expect(text).toContain("\u001b[32mrunning\u001b[0m");
  const lines = stripVTControlCharacters(text).trimEnd().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toHaveLength(72);
  expect(lines[1]).toMatch(/xxx…$/);
  const plain = await openCliTerminal(keeper, cli, ["ps"], { columns: 72, environment: { NO_COLOR: "1" } });
  await plain.ended;
  expect(await plain.text()).not.toContain("\u001b");
});
