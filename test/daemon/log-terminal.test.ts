// What the daemon shows of its log on standard error: on a terminal, to a pipe, and to nobody.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { DaemonStatus } from "../../src/protocol/daemon.ts";
import { openCliHome, type CliHome } from "../support/cli-home.ts";
import { cliProgram } from "../support/programs.ts";
import { openCliTerminal } from "../support/cli-terminal.ts";
import { connectedClient } from "../support/connected-client.ts";
import { loggedEntries } from "../support/daemon-logs.ts";
import { openKeeperHome } from "../support/keeper-home.ts";

test("in the foreground on a terminal it shows readable, coloured lines, and ends with Ctrl-C", async () => {
  const cli = openCliHome();
  const keeper = await openKeeperHome();
  const terminal = await openCliTerminal(keeper, cli, ["daemon", "run"], { columns: 250 });
  await terminal.shows("ready\r\n");
  await terminal.type("\u0003");
  expect((await terminal.ended).exit).toMatchObject({ kind: "exited", code: 0 });
  const text = await terminal.text();
  expect(text).toMatch(/\d{4}-\d\d-\d\dT\S+Z/);
  expect(text).toContain("\u001b[32mINFO \u001b[0m starting");
  expect(text).toMatch(/going .*reason=.*SIGINT/);
  expect(text).not.toContain('{"level"');
  expect(loggedEntries(cli.home).map(({ msg }) => msg)).toEqual(["starting", "ready", "going", "gone"]);
});

test("NO_COLOR is honoured, and no child gets it from there", async () => {
  const cli = openCliHome();
  const keeper = await openKeeperHome();
  const environment = { NO_COLOR: "1" };
  const terminal = await openCliTerminal(keeper, cli, ["daemon", "run"], { columns: 250, environment });
  await terminal.shows("ready\r\n");
  expect(await cli.run(["run", "--", "sh", "-c", 'echo "<$NO_COLOR$TERM>"'])).toMatchObject({
    stdout: "<>\n",
  });
  await terminal.type("\u0003");
  await terminal.ended;
  expect(await terminal.text()).toMatch(/Z INFO {2}starting/);
  expect(await terminal.text()).not.toContain("\u001b");
});

test("in the background nothing is written where nobody can read it", async () => {
  const cli = openCliHome();
  const environment = { HOLDFAST_LOG_LEVEL: "debug" };
  const { pid } = await cli.json<DaemonStatus>(["daemon", "start", "--json"], { environment });
  await cli.run(["ps"]);
  expect(loggedEntries(cli.home).some(({ level }) => level === "debug")).toBe(true);
  expect(readlinkSync(`/proc/${pid}/fd/2`)).toContain("(deleted)");
  expect(statSync(`/proc/${pid}/fd/2`).size).toBe(0);
});

async function manyRequests(cli: CliHome): Promise<void> {
  const client = await connectedClient({ home: cli.home });
  for (let round = 0; round < 100; round += 1)
    await Promise.all(Array.from({ length: 20 }, () => client.process.list({})));
}

test("a reader of standard error that stops reading, or goes, stops nothing", async () => {
  const cli = openCliHome();
  const child = spawn(process.execPath, [cliProgram, "daemon", "run"], {
    env: { ...cli.environment, HOLDFAST_LOG_LEVEL: "debug" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  // Not a byte of it is read: 2,000 lines are more than any pipe holds.
  child.stderr.pause();
  await once(child.stdout, "data");
  await manyRequests(cli);
  child.stderr.destroy();
  await manyRequests(cli);
  expect(loggedEntries(cli.home).filter(({ verb }) => verb === "process.list").length).toBeGreaterThanOrEqual(
    4_000,
  );
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(statSync(join(cli.home, "daemon.log")).mode & 0o777).toBe(0o600);
});
