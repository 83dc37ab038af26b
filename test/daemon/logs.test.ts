// The daemon's log as `holdfast daemon logs` shows it: from its files, whether a daemon is there or not.
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cliProgram } from "../support/programs.ts";
import { openTerminal } from "../support/cli-terminal.ts";
import { ask, runToEnd } from "../support/daemon-calls.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import {
  askAs,
  daemonLogs,
  followDaemonLogs,
  loggedEntries,
  logLines,
  type LoggedEntry,
} from "../support/daemon-logs.ts";
import { openKeeperHome } from "../support/keeper-home.ts";
import { newTestHome } from "../support/test-home.ts";

const verbose = { HOLDFAST_LOG_LEVEL: "debug" };

function entriesIn(stdout: string): LoggedEntry[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LoggedEntry); // the command prints what the daemon wrote
}

test("it is read with no daemon, whole or filtered, for programs and for people", async () => {
  const daemon = await openDaemonHome({ environment: verbose });
  const id = await runToEnd(daemon, "true", { owner: { session: "s1" } });
  const other = await runToEnd(daemon, "true");
  await askAs(daemon.socketPath, "r_session", "s1");
  await daemon.kill();
  const all = await daemonLogs(daemon.home, "--json");
  expect(all).toMatchObject({ code: 0, stderr: "" });
  expect(entriesIn(all.stdout)).toEqual(loggedEntries(daemon.home));
  const filtered = async (...args: string[]): Promise<LoggedEntry[]> =>
    entriesIn((await daemonLogs(daemon.home, "--json", ...args)).stdout);
  const ofProcess = await filtered("--process", id.slice(0, 8));
  expect(ofProcess.map(({ verb }) => verb)).toEqual(["process.start", "process.wait"]);
  expect(JSON.stringify(ofProcess)).not.toContain(other);
  const ofSession = await filtered("--session", "s1");
  expect(ofSession.map(({ verb }) => verb)).toEqual(["process.start", "process.list"]);
  expect(ofSession[1]).toMatchObject({ requestId: "r_session" });
  expect((await filtered("--level", "info")).map(({ msg }) => msg)).toEqual(["starting", "ready"]);
  expect((await filtered("--tail", "1")).map(({ requestId }) => requestId)).toEqual(["r_session"]);
  expect((await filtered("--tail", "1", "--level", "info")).map(({ msg }) => msg)).toEqual(["ready"]);
  const text = (await daemonLogs(daemon.home, "--level", "info")).stdout;
  expect(text).toMatch(
    /^\d{4}-\d\d-\d\dT[\d:.]+Z INFO {2}starting version=\S+ home=\S+\n\S+ INFO {2}ready .*\n$/,
  );
});

test("-f shows every line once, over rotations, kills in the middle of writing, and restarts", async () => {
  const environment = { ...verbose, HOLDFAST_LOG_FILE_BYTES: "4096", HOLDFAST_LOG_FILES: "1000" };
  const daemon = await openDaemonHome({ environment });
  const follower = followDaemonLogs(daemon.home, "--json");
  await follower.shows('"msg":"ready"');
  const answered: string[] = [];
  for (const round of [1, 2, 3]) {
    const ids = Array.from({ length: 100 }, (_, number) => `r_${round}_${number}`);
    const asking = ids.map(async (id) => {
      await askAs(daemon.socketPath, id);
      answered.push(id);
    });
    const all = Promise.allSettled(asking);
    await Promise.all(asking.slice(0, 50));
    await daemon.kill();
    await all;
    await daemon.start();
  }
  await askAs(daemon.socketPath, "r_last");
  await follower.shows("r_last");
  const expected = logLines(daemon.home);
  follower.child.kill("SIGINT");
  const { stdout, stderr } = await follower.answer;
  const shown = stdout.split("\n").filter((line) => line !== "");
  expect(shown.slice(0, expected.length)).toEqual(expected);
  expect(stderr).toBe("");
  // What was answered had been written.
  const logged = entriesIn(stdout).map(({ requestId }) => requestId);
  expect(answered.length).toBeGreaterThanOrEqual(150);
  for (const id of answered)
    expect(
      logged.filter((requestId) => requestId === id),
      id,
    ).toHaveLength(1);
});

test("-f waits for the first daemon of a home, and begins with the last lines when told so", async () => {
  const home = newTestHome();
  const follower = followDaemonLogs(home, "--json");
  const daemon = await openDaemonHome({ home });
  await follower.shows('"msg":"ready"');
  const short = followDaemonLogs(home, "--tail", "1");
  await short.shows("ready");
  await ask(daemon, "config.set", { key: "log.level", value: "debug" });
  await short.shows("the configuration changed");
  short.child.kill("SIGINT");
  expect((await short.answer).stdout).not.toContain("starting");
});

test("a line that a kill cut short is told, and every other one is there", async () => {
  const daemon = await openDaemonHome();
  await daemon.kill();
  appendFileSync(join(daemon.home, "daemon.log"), '{"level":"info","ti\u001b[2J');
  const before = await daemonLogs(daemon.home);
  expect(before.code).toBe(0);
  expect(before.stderr).toMatch(
    /^holdfast: \S+daemon\.log has a line that was not written whole: \{"level":"info","ti\\e\[2J\n$/,
  );
  await daemon.start();
  const { code, stdout, stderr } = await daemonLogs(daemon.home, "--json", "--level", "info");
  expect(code).toBe(0);
  expect(entriesIn(stdout).map(({ msg }) => msg)).toEqual([
    "starting",
    "ready",
    "starting",
    "the daemon before this one did not say why it went: it was killed",
    "ready",
  ]);
  expect(stderr).toContain("not written whole");
  expect(stderr).not.toContain("\u001b");
  // Mended for the test's own look at the file.
  const path = join(daemon.home, "daemon.log");
  expect(readFileSync(path, "utf8")).toContain('"ti\u001b[2J\n{"level":"info"');
});

test("hostile text of a caller can do nothing to a terminal", async () => {
  const daemon = await openDaemonHome({ environment: verbose });
  const hostile = "\u001b]0;owned\u0007\u009b2J\u202e";
  await askAs(daemon.socketPath, "r_hostile", hostile);
  const plain = await daemonLogs(daemon.home, "--session", hostile);
  expect(plain.stdout).toContain("requestId=r_hostile");
  expect(plain.stdout).toContain("\\e]0;owned");
  const json = await daemonLogs(daemon.home, "--session", hostile, "--json");
  // Every character of it that is no letter.
  for (const { stdout } of [plain, json])
    expect(
      ["\u001b", "\u0007", "\u009b", "\u202e"].filter((character) => stdout.includes(character)),
    ).toEqual([]);
  expect(entriesIn(json.stdout)[0]).toMatchObject({ session: hostile });
});

test("on a terminal it has colours, unless NO_COLOR says no", async () => {
  const daemon = await openDaemonHome();
  const keeper = await openKeeperHome();
  const argv = [process.execPath, cliProgram, "daemon", "logs"];
  const environment = { HOLDFAST_HOME: daemon.home };
  const coloured = await openTerminal(keeper, argv, { columns: 200, environment });
  await coloured.ended;
  expect(await coloured.text()).toContain("\u001b[32mINFO ");
  const plain = await openTerminal(keeper, argv, {
    columns: 200,
    environment: { ...environment, NO_COLOR: "1" },
  });
  await plain.ended;
  expect(await plain.text()).toMatch(/Z INFO {2}starting/);
  expect(await plain.text()).not.toContain("\u001b");
});

test("a home without a log, or none at all, says so and is no failure", async () => {
  const home = newTestHome();
  expect(await daemonLogs(home)).toMatchObject({
    code: 0,
    stdout: "",
    stderr: `holdfast: ${home} has no log of a daemon yet\n`,
  });
  const missing = await daemonLogs(join(home, "none"));
  expect(missing).toMatchObject({ code: 0, stdout: "" });
  expect(missing.stderr).toContain("there is no home");
});
