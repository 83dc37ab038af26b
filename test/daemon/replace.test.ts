// `--replace` under load: a new daemon takes the place of the one that runs, and neither processes nor clients lose anything by it.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { homeFiles, readPresence, readStatusFile } from "../../src/home/index.ts";
import type { Client } from "../../src/sdk/index.ts";
import { buildPackage } from "../support/built-package.ts";
import { openCliHome } from "../support/cli-home.ts";
import { connectedClient, wholeText } from "../support/connected-client.ts";
import { readyDaemonProgram, runDaemonProgram, type DaemonProgram } from "../support/daemon-program.ts";
import { newTestHome } from "../support/test-home.ts";

const built = buildPackage();

function newHome(): string {
  return openCliHome(newTestHome(), built.cli).home;
}

async function first(home: string): Promise<DaemonProgram> {
  return await readyDaemonProgram(home, { program: built.daemon });
}

function replacer(home: string): DaemonProgram {
  return runDaemonProgram(home, { program: built.daemon, args: ["--replace"] });
}

const counted = (lines: number): string =>
  Array.from({ length: lines }, (_none, index) => `line ${index + 1}\n`).join("");

/** Types numbered lines into a `cat` until told to stop, and tells what came back. Told how many there are. */
async function typeUntil(
  client: Client,
  isOver: (typed: number) => boolean,
): Promise<{ typed: number; echoed: string }> {
  const { id } = await client.process.start({ command: ["cat"], stdin: "open", cwd: "/" });
  await using attachment = await client.attach(id);
  const reading = wholeText(attachment.output());
  let typed = 0;
  while (!isOver(typed)) await attachment.write(`line ${(typed += 1)}\n`);
  await client.process.closeStdin({ id });
  return { typed, echoed: await reading };
}

test("with 100 running processes and an attached client: no process notices, no byte is lost or repeated", async () => {
  const home = newHome();
  let daemon = await first(home);
  const client = await connectedClient({ home });
  const started: Awaited<ReturnType<Client["process"]["start"]>>[] = [];
  // A start has a deadline: not all of them at once.
  for (let from = 0; from < 98; from += 14) {
    const names = Array.from({ length: 14 }, (_none, index) => `sleeper-${from + index}`);
    const starting = names.map((name) => client.process.start({ command: ["sleep", "300"], name, cwd: "/" }));
    started.push(...(await Promise.all(starting)));
  }
  let isOver = false;
  // However little of it there is time for between two replacements.
  const typing = typeUntil(client, (typed) => isOver && typed > 10);
  const goOn = join(newTestHome(), "go-on");
  writeFileSync(goOn, "");
  const count = `i=0; while [ -e ${goOn} ]; do i=$((i+1)); echo line $i; sleep 0.002; done; exit 7`;
  const writer = await client.process.start({ command: count, cwd: "/" });
  const reading = wholeText(client.output(writer.id));
  const waiting = client.process.wait({ ids: [writer.id] });
  for (let round = 0; round < 3; round++) {
    const next = replacer(home);
    expect(await next.outcome, next.stderr()).toBe("ready");
    expect(await daemon.exited, daemon.stderr()).toBe(0);
    daemon = next;
  }
  isOver = true;
  const { typed, echoed } = await typing;
  expect(echoed).toBe(counted(typed));
  rmSync(goOn);
  const read = await reading;
  expect(read).toBe(counted(read.split("\n").length - 1));
  expect(await waiting).toMatchObject({ results: [{ process: { exit: { kind: "exited", code: 7 } } }] });
  const { processes } = await client.process.list({ states: ["running"] });
  const pids = new Map(processes.map(({ id, pid }) => [id, pid]));
  expect(started.map(({ id }) => pids.get(id))).toEqual(started.map(({ pid }) => pid));
  expect(await client.daemon.status()).toMatchObject({ pid: daemon.pid, state: "running" });
});

test("the one that is replaced says by whom, and its successor finds neither marker nor stale record", async () => {
  const home = newHome();
  const old = await first(home);
  const next = replacer(home);
  expect(await next.outcome, next.stderr()).toBe("ready");
  expect(await old.exited).toBe(0);
  expect(existsSync(homeFiles(home).takeover)).toBe(false);
  expect(readStatusFile(home)).toMatchObject({
    writer: { pid: next.pid },
    state: "running",
    previousEnd: { how: "left", reason: `replaced by process ${next.pid}`, pid: old.pid },
  });
  expect(readPresence(home)).toMatchObject({ state: "running", owner: { pid: next.pid } });
});

test("with nobody to replace it simply starts", async () => {
  const home = newHome();
  const daemon = replacer(home);
  expect(await daemon.outcome, daemon.stderr()).toBe("ready");
  expect(existsSync(homeFiles(home).takeover)).toBe(false);
});

test("of two that replace at once one has the home in the end, and the other is told or was replaced in turn", async () => {
  const home = newHome();
  let daemon = await first(home);
  const endings: (number | null)[] = [];
  for (let round = 0; round < 4; round++) {
    const both = [replacer(home), replacer(home)];
    await Promise.all(both.map(({ outcome }) => outcome));
    expect(await daemon.exited).toBe(0);
    const client = await connectedClient({ home });
    const { pid, state } = await client.daemon.status();
    expect(state).toBe("running");
    const [winner, ...others] = both.toSorted((one) => (one.pid === pid ? -1 : 1));
    if (winner?.pid !== pid) throw new Error(`process ${pid} has the home and is neither of the two`);
    for (const loser of others) {
      const code = await loser.exited;
      const isTold = code === 69 && loser.stderr().includes(`process ${pid}`);
      // It had the home for a moment, and was replaced in turn.
      const wasReplaced = code === 0;
      expect({ code, isFine: isTold || wasReplaced }, loser.stderr()).toMatchObject({ isFine: true });
      endings.push(code);
    }
    expect(existsSync(homeFiles(home).takeover)).toBe(false);
    daemon = winner;
  }
  expect(endings).toHaveLength(4);
});
