// kill -9 of the launching program and of the launcher at random moments: every child, byte and exit code is accounted for.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { readRunDirectory, readStoredOutput, runsDirectory, scanRuns } from "../../src/keeper/index.ts";
import { openKeeperHome, type KeeperHome } from "../support/keeper-home.ts";
import { findBusyProcesses } from "../support/leaks.ts";
import { launcherPidOf, untilDead } from "../support/process-facts.ts";
import { fixtureProgram } from "../support/programs.ts";
import { chosenSeed, seededRandom, soakRounds } from "../support/seeded-random.ts";
import { testDirectory } from "../support/test-home.ts";

const longestPauseMs = 120;

interface Program {
  readonly asked: Set<string>;
  readonly started: Set<string>;
  /** What it said on stderr: a failed start. */
  complaints(): string;
  kill(): Promise<void>;
}

async function launchProgram(keeper: KeeperHome, prefix: string, ledger: string): Promise<Program> {
  const program = fixtureProgram("recovery-start-loop");
  const child = spawn(process.execPath, [program, keeper.home, keeper.binary, prefix, ledger], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {},
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = { out: "", error: "" };
  child.stdout.on("data", (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said.error += chunk.toString()));
  const asked = new Set<string>();
  const started = new Set<string>();
  await once(child.stdout, "data");
  return {
    asked,
    started,
    complaints: () => said.error,
    kill: async () => {
      const closed = once(child, "close");
      child.kill("SIGKILL");
      await closed;
      // The last line may be cut: what it said of a start counts only when it was said in full.
      for (const line of said.out.split("\n").slice(0, -1)) {
        const [word, id = ""] = line.split(" ");
        (word === "started" ? started : asked).add(id);
      }
    },
  };
}

/** Kills launcher or program `rounds` times; returns what the programs said. */
async function killAtRandom(keeper: KeeperHome, ledger: string, random: () => number): Promise<Program[]> {
  const rounds = soakRounds(200);
  const programs: Program[] = [];
  let current = await launchProgram(keeper, "p0_", ledger);
  for (let round = 1; round <= rounds; round++) {
    await delay(random() * longestPauseMs); // the moment of the kill is what is tested
    const launcherPid = launcherPidOf(keeper.home);
    if (random() < 0.5 && launcherPid !== undefined) {
      process.kill(launcherPid, "SIGKILL");
      await untilDead(launcherPid);
      continue;
    }
    programs.push(current);
    await current.kill();
    expect(current.complaints()).toBe("");
    current = await launchProgram(keeper, `p${round}_`, ledger);
  }
  programs.push(current);
  await current.kill();
  expect(current.complaints()).toBe("");
  return programs;
}

/** Lines "line 0" … in order, and nothing else. */
async function checkRun(keeper: KeeperHome, id: string): Promise<void> {
  const number = Number(id.slice(id.indexOf("_") + 1));
  const directory = keeper.directory(id);
  const { exit, spec } = await readRunDirectory(directory);
  expect(exit?.exit, id).toEqual({ kind: "exited", code: number % 251 });
  let output = "";
  for await (const event of readStoredOutput(directory)) {
    expect(event.kind).not.toBe("missing");
    if (event.kind === "data") output += event.bytes.toString();
  }
  const newline = spec.mode === "pty" ? "\r\n" : "\n";
  const lines = Array.from({ length: ((number * 37) % 200) + 1 }, (_, line) => `line ${line}${newline}`);
  expect(output, id).toBe(lines.join(""));
}

test(
  "200 kills of launcher and launching program lose no child, no byte and no exit code",
  { timeout: 180_000 },
  async () => {
    const seed = chosenSeed();
    console.log(`seed ${seed}`);
    const keeper = await openKeeperHome();
    const ledger = mkdtempSync(join(testDirectory(), "ledger-"));
    const programs = await killAtRandom(keeper, ledger, seededRandom(seed));
    await keeper.launcher.ping();

    const live = async (): Promise<string[]> => {
      const runs = await scanRuns(keeper.binary, runsDirectory(keeper.home));
      return [...runs].filter(([, status]) => status !== "ended").map(([id, status]) => `${id} ${status}`);
    };
    await expect.poll(live, { timeout: 20_000 }).toEqual([]);

    const runs = new Set((await scanRuns(keeper.binary, runsDirectory(keeper.home))).keys());
    const asked = new Set(programs.flatMap((program) => [...program.asked]));
    for (const id of runs) expect(asked, id).toContain(id);
    for (const id of programs.flatMap((program) => [...program.started])) expect(runs, id).toContain(id);
    // Every child that ever ran has a directory and ran once; a run without a child, and a child without a run, would show here.
    expect(new Set(readdirSync(ledger))).toEqual(runs);
    for (const id of runs) {
      expect(readFileSync(join(ledger, id), "utf8"), id).toMatch(/^\d+\n$/);
      await checkRun(keeper, id);
    }
    expect(runs.size).toBeGreaterThan(programs.length);

    const launcherPid = launcherPidOf(keeper.home);
    // A keeper leaves after it has told the end, and one that waited for a dead launcher when it notices.
    await expect.poll(() => findBusyProcesses(keeper.home).map((each) => each.pid)).toEqual([launcherPid]);
    const spares = (): string[] =>
      readdirSync(runsDirectory(keeper.home)).filter((name) => name.startsWith(".spare-"));
    await expect
      .poll(() => spares().filter((name) => !name.startsWith(`.spare-${launcherPid}-`)))
      .toEqual([]);
    console.log(`${runs.size} runs, ${asked.size} asked for, ${programs.length} programs`);
  },
);
