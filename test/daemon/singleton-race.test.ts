// Fifty who want the same home at once, and a thousand who only look.
import { spawn, spawnSync, type ChildProcess, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { daemonExitCode } from "../../src/home/exit-codes.ts";
import { readPresence, readRecord } from "../../src/home/index.ts";
import { identityOf } from "../../src/util/process-identity.ts";
import { openCliHome } from "../support/cli-home.ts";
import { takeHome } from "../support/held-home.ts";
import { killNow, launcherPidOf } from "../support/process-facts.ts";
import { newTestHome, testDirectory } from "../support/test-home.ts";

const repository = join(import.meta.dirname, "../..");
const readerProgram = join(import.meta.dirname, "../fixtures/read-presence.ts");

/** The daemon as one file: fifty of them start in the time of a few from the sources. */
function buildDaemon(): string {
  const directory = newTestHome();
  const built = spawnSync(
    process.execPath,
    [join(repository, "scripts/build-cli.mjs"), join(directory, "dist")],
    {
      encoding: "utf8",
    },
  );
  expect(built, built.stderr).toMatchObject({ status: 0 });
  copyFileSync(join(repository, "package.json"), join(directory, "package.json"));
  mkdirSync(join(directory, "keeper"));
  symlinkSync(join(repository, "keeper/build"), join(directory, "keeper/build"));
  return join(directory, "dist/daemon/main.mjs");
}

interface Starter {
  readonly child: ChildProcess;
  readonly said: { stdout: string; stderr: string };
  /** Ready, or its exit code. */
  readonly outcome: Promise<"ready" | number | null>;
}

function startDaemon(program: string, home: string): Starter {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env["PATH"], HOME: testDirectory(), HOLDFAST_HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  child.stderr.on("data", (chunk: Buffer) => (said.stderr += chunk.toString()));
  const ready = once(child.stdout, "data").then(() => "ready" as const);
  const closed = once(child, "close").then(() => child.exitCode);
  return { child, said, outcome: Promise.race([ready, closed]) };
}

async function end(home: string, starter: Starter): Promise<void> {
  const gone = once(starter.child, "exit");
  starter.child.kill("SIGKILL");
  await gone;
  await killNow(launcherPidOf(home) ?? 0);
}

test("of fifty starters exactly one has the home; the others say who, and end with a code of their own", async () => {
  const [program, home] = [buildDaemon(), newTestHome()];
  const starters = Array.from({ length: 50 }, () => startDaemon(program, home));
  const outcomes = await Promise.all(starters.map(({ outcome }) => outcome));
  const [winner, ...more] = starters.filter((_, index) => outcomes[index] === "ready");
  if (winner === undefined) throw new Error(`none of ${outcomes.join()}: ${starters[0]?.said.stderr}`);
  onTestFinished(() => end(home, winner));
  expect(more).toEqual([]);
  const losers = starters.filter((starter) => starter !== winner);
  expect(losers.map(({ child }) => child.exitCode)).toEqual(losers.map(() => daemonExitCode.anotherRuns));
  for (const { said } of losers) {
    expect(said.stderr).toContain(`Another daemon has ${home}: process ${winner.child.pid}, version `);
    expect(said.stderr).toContain("DAEMON_RUNNING");
  }
  expect(readRecord(home)).toMatchObject({ ...identityOf(winner.child.pid ?? 0), home });
  expect(readPresence(home)).toMatchObject({ state: "running", owner: { pid: winner.child.pid } });
}, 60_000);

interface Reader {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** How often it saw which state. */
  readonly seen: Promise<Readonly<Record<string, number>>>;
}

function startReader(home: string, count: number): Reader {
  const child = spawn(process.execPath, [readerProgram, home, String(count)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const text: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => text.push(chunk.toString()));
  const seen = once(child.stdout, "end").then(() => {
    const answer = JSON.parse(text.join("").replace("looking\n", "")) as Pick<Reader, "seen">;
    return answer.seen;
  });
  return { child, seen };
}

test("a thousand readers beside starters make none of them fail", async () => {
  const home = newTestHome();
  const readers = Array.from({ length: 4 }, () => startReader(home, 250));
  await Promise.all(readers.map(({ child }) => once(child.stdout, "data")));
  for (let starts = 0; starts < 50; starts++) {
    const own = await takeHome(home); // a refusal would fail the test
    own.release({ state: "stopped", exitReason: "again" });
  }
  for (const { child } of readers) child.stdin.end();
  const answers = await Promise.all(readers.map(({ seen }) => seen));
  const seen = answers.flatMap((answer) => Object.entries(answer));
  expect(seen.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThanOrEqual(1_000);
  expect(new Set(seen.map(([state]) => state))).toEqual(new Set(["running", "stopped"]));
});

test("the command line asks while daemons start: every one of them starts", async () => {
  const cli = openCliHome();
  const asked = Array.from({ length: 5 }, () => cli.run(["daemon", "status", "--json"]));
  const running = cli.start(["daemon", "run"]);
  await running.shows("ready\n");
  for (const answer of await Promise.all(asked)) expect(answer, answer.stderr).toMatchObject({ code: 0 });
});
