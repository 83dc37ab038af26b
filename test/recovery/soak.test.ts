// The promise of the whole product, all at once: short and long, silent and chatty, pipe and terminal processes under a daemon that is
// killed again and again. SOAK_ROUNDS=2000 makes it long.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connect } from "../../src/client/node.ts";
import type { Client } from "../../src/client/client.ts";
import { newProcessId } from "../../src/protocol/ids.ts";
import { readProcessStat } from "../../src/util/process-identity.ts";
import { ask } from "../support/daemon-calls.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { chosenSeed, seededRandom, soakRounds } from "../support/seeded-random.ts";

const rounds = soakRounds(50);

interface Job {
  readonly key: string;
  readonly command: string;
  readonly mode: "pipe" | "pty";
  readonly code: number;
  readonly lines: number;
}

const kinds = [
  { lines: 0, script: (code: number) => `exit ${code}` },
  { lines: 3, script: (code: number) => `for i in 1 2 3; do echo "n $i"; done; exit ${code}` },
  {
    lines: 400,
    script: (code: number) => `i=0; while [ $i -lt 400 ]; do i=$((i+1)); echo "n $i"; done; exit ${code}`,
  },
  {
    lines: 30,
    script: (code: number) =>
      `i=0; while [ $i -lt 30 ]; do i=$((i+1)); echo "n $i"; sleep 0.02; done; exit ${code}`,
  },
  { lines: 0, script: (code: number) => `sleep 0.3; exit ${code}` },
];

function makeJob(random: () => number, index: number): Job {
  const kind = kinds[Math.floor(random() * kinds.length)] ?? kinds[0];
  const code = Math.floor(random() * 200);
  return {
    key: `soak-${index}`,
    command: kind?.script(code) ?? "",
    mode: random() < 0.3 ? "pty" : "pipe",
    code,
    lines: kind?.lines ?? 0,
  };
}

/** Starts a job, reads all of its output through whatever happens, and tells what is wrong with what it saw. */
async function follow(client: Client, job: Job): Promise<{ id: string; problems: string[] }> {
  const started = await client.process.start({
    command: job.command,
    cwd: "/",
    mode: job.mode,
    idempotencyKey: job.key,
  });
  const problems: string[] = [];
  let text = "";
  let next = 0;
  for await (const event of client.output(started.id, { from: 0, follow: true })) {
    if (event.kind === "missing") problems.push(`bytes ${event.from}-${event.to} are missing`);
    if (event.kind !== "data") continue;
    if (event.offset !== next) problems.push(`expected offset ${next}, got ${event.offset}`);
    next = event.offset + event.bytes.length;
    text += Buffer.from(event.bytes).toString("latin1");
  }
  const numbers = [...text.matchAll(/n (\d+)\r?\n/g)].map((match) => Number(match[1]));
  if (numbers.length !== job.lines) problems.push(`${numbers.length} lines instead of ${job.lines}`);
  numbers.forEach(
    (number, index) => number === index + 1 || problems.push(`line ${index + 1} says ${number}`),
  );
  const waited = await client.process.wait({ ids: [started.id] });
  const exit = waited.results[0]?.process.exit;
  if (exit?.kind !== "exited" || exit.code !== job.code)
    problems.push(`ended as ${JSON.stringify(exit)} instead of ${job.code}`);
  return { id: started.id, problems };
}

function openDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

function zombiesBelow(pid: number): string[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  return children.filter((child) => readProcessStat(Number(child))?.state === "Z"); // one may be gone by now
}

test(
  `${rounds} times kill -9 of the daemon: no byte lost or repeated, every exit code true, nothing started twice, nothing left`,
  async () => {
    const seed = chosenSeed();
    const random = seededRandom(seed);
    const daemon = await openDaemonHome();
    // Longer than all the kills together: between two of them a stream may never live long enough to count as back.
    const client = await connect({ home: daemon.home, reconnectMs: 600_000 });
    const jobs: { job: Job; outcome: ReturnType<typeof follow> }[] = [];
    const over = new AbortController();
    const workers = Array.from({ length: 4 }, async () => {
      while (!over.signal.aborted) {
        const job = makeJob(random, jobs.length);
        const outcome = follow(client, job);
        jobs.push({ job, outcome });
        await outcome.catch(() => undefined); // told with all the others below
      }
    });
    for (let round = 0; round < rounds; round++) {
      // At any moment of a start, a read or an end: as soon as it answers, or some time into its work.
      const pauseMs = random() < 0.3 ? 0 : random() * 150;
      await new Promise((resolve) => setTimeout(resolve, pauseMs)); // the moment of the kill is the test's input, not a wait
      await daemon.kill();
      await daemon.start();
    }
    over.abort();
    await Promise.all(workers);
    const failures: string[] = [];
    const ids = new Set<string>();
    for (const { job, outcome } of jobs) {
      const { id, problems } = await outcome;
      ids.add(id);
      if (problems.length > 0)
        failures.push(`${job.key} ${id} (${job.mode}, ${job.command}): ${problems.slice(0, 3).join("; ")}`);
    }
    expect(failures, `seed ${seed}`).toEqual([]);
    expect(ids.size, "each job is one process").toBe(jobs.length);
    const { processes, running } = await ask(daemon, "process.list", { limit: 10_000 });
    expect(processes.map((process) => process.id).toSorted(), "nothing else was started").toEqual(
      [...ids].toSorted(),
    );
    expect(running).toBe(0);
    const directories = readdirSync(join(daemon.home, "runs")).filter((name) =>
      name.startsWith(newProcessId().slice(0, 2)),
    );
    expect(directories).toHaveLength(jobs.length);
    const launcher = Number(
      /^pid (\d+)$/m.exec(readFileSync(join(daemon.home, "launcher.lock"), "utf8"))?.[1],
    );
    await expect.poll(() => zombiesBelow(launcher)).toEqual([]);
    await expect.poll(() => openDescriptors(launcher)).toBeLessThan(110); // 8 spares of 7, the fixed ones, one daemon
    await expect.poll(() => openDescriptors(daemon.pid())).toBeLessThan(80);
    client.close();
  },
  60_000 + rounds * 6_000,
);
