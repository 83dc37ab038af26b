// Whoever must hear it hears it: endings and matches under a daemon and consumers that are killed again and again. SOAK_ROUNDS=100 makes it
// long, with 200 endings and 2,000 matches; more rounds, more of both.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { NoticeKind, NoticeWithText } from "../../src/protocol/notices.ts";
import type { Client } from "../../src/sdk/index.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { fixtureProgram } from "../support/programs.ts";
import { chosenSeed, seededRandom, soakRounds } from "../support/seeded-random.ts";
import { newTestHome } from "../support/test-home.ts";

const usualRounds = 5;
const rounds = soakRounds(usualRounds);
const endings = rounds > usualRounds ? Math.max(200, rounds) : 16;
const matchesEach = 10;
const startsAtOnce = 8;
const program = fixtureProgram("notice-consumer");

interface Work {
  readonly id: string;
  readonly code: number;
}

interface Fact {
  readonly got?: string;
  readonly kind?: NoticeKind;
  readonly processId?: string;
  readonly data?: { readonly count?: number; readonly heldBack?: number; readonly exit?: { code: number } };
  readonly settled?: string;
  readonly outcome?: string;
}

class Consumers {
  readonly #home: string;
  readonly #file = join(newTestHome(), "heard");
  readonly #running: ChildProcess[] = [];
  #count = 0;

  constructor(home: string, size: number) {
    this.#home = home;
    writeFileSync(this.#file, "");
    for (let index = 0; index < size; index++) this.#begin(index);
    onTestFinished(async () => {
      for (const child of this.#running) await kill(child);
    });
  }

  /** kill -9 of one; another takes its place. */
  async replace(index: number): Promise<void> {
    const child = this.#running[index];
    if (child?.exitCode !== null) throw new Error("a consumer has ended by itself");
    await kill(child);
    this.#begin(index);
  }

  facts(): Fact[] {
    const lines = readFileSync(this.#file, "utf8").trim().split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Fact); // of the fixture
  }

  #begin(index: number): void {
    const name = `consumer-${(this.#count += 1)}`;
    this.#running[index] = spawn(process.execPath, [program, this.#home, this.#file, name], {
      stdio: ["ignore", "inherit", "inherit"],
    });
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (!child.kill("SIGKILL")) return; // it has ended
  await once(child, "exit");
}

async function startOne(client: Client, random: () => number, index: number): Promise<Work> {
  const code = Math.floor(random() * 200);
  const pause = (random() * 0.15).toFixed(3);
  const { id } = await client.process.start({
    command: `i=0; while [ $i -lt ${matchesEach} ]; do i=$((i+1)); echo "needle $i"; sleep ${pause}; done; exit ${code}`,
    cwd: "/",
    notify: "end",
    owner: { session: "soak" },
    watches: [{ kind: "text", text: "needle" }],
    idempotencyKey: `soak-${index}`,
  });
  return { id, code };
}

/** So many at a time, one after the other, through whatever happens to the daemon. */
async function startAll(client: Client, random: () => number): Promise<Work[]> {
  const work: Work[] = [];
  let next = 0;
  const starters = Array.from({ length: startsAtOnce }, async () => {
    while (next < endings) {
      const one = await startOne(client, random, next++);
      work.push(one);
      await client.process.wait({ ids: [one.id] });
    }
  });
  await Promise.all(starters);
  return work;
}

function sum(values: readonly (number | undefined)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

async function allNotices(client: Client): Promise<NoticeWithText[]> {
  const notices: NoticeWithText[] = [];
  for (;;) {
    const after = notices.at(-1)?.cursor ?? 0;
    const page = await client.notifications.list({ session: "soak", after, limit: 500 });
    if (page.notices.length === 0) return notices;
    notices.push(...page.notices);
  }
}

test(
  `${rounds} times kill -9 of the daemon and its consumers: every notice arrives, is acknowledged once, and comes again only under its id`,
  async () => {
    const seed = chosenSeed();
    const random = seededRandom(seed);
    const daemon = await openDaemonHome({
      environment: {
        HOLDFAST_WATCH_WINDOW_MS: "100",
        HOLDFAST_WATCH_STRIKES: "1000",
        HOLDFAST_WATCH_BREAKER_PUSHES: "100000",
      },
    });
    const client = await connectedClient({ home: daemon.home, reconnectMs: 600_000 });
    const consumers = new Consumers(daemon.home, 2);
    const started = startAll(client, random);
    started.catch(() => undefined); // awaited below
    for (let round = 0; round < rounds; round++) {
      const pauseMs = random() < 0.3 ? 0 : random() * 400;
      await new Promise((resolve) => setTimeout(resolve, pauseMs)); // the moment of the kill is the test's input, not a wait
      if (random() < 0.5) await consumers.replace(round % 2);
      await daemon.kill();
      if (random() < 0.3) await consumers.replace(round % 2);
      await daemon.start();
    }
    const work = await started;
    const pending = async (): Promise<number> =>
      (await client.notifications.list({ session: "soak", limit: 1 })).pending;
    await expect.poll(pending, { timeout: 60_000, interval: 200, message: `seed ${seed}` }).toBe(0);

    const notices = await allNotices(client);
    expect(new Set(notices.map(({ state }) => state)), `seed ${seed}`).toEqual(new Set(["acknowledged"]));
    const facts = consumers.facts();
    const heard = new Map(facts.flatMap((fact) => (fact.got === undefined ? [] : [[fact.got, fact]])));
    expect([...heard.keys()].toSorted(), "each arrived, and nothing else").toEqual(
      notices.map(({ id }) => id).toSorted(),
    );
    const done = facts.filter(({ outcome }) => outcome === "done").map(({ settled }) => settled);
    expect(new Set(done).size, "none was acknowledged twice").toBe(done.length);
    for (const { id, code } of work) {
      const told = [...heard.values()].filter(({ processId }) => processId === id);
      const ends = told.filter(({ kind }) => kind === "process.ended");
      expect(ends, `the end of ${id}, seed ${seed}`).toMatchObject([{ data: { exit: { code } } }]);
      const matched = told.filter(({ kind }) => kind === "watch.matched").map(({ data }) => data?.count);
      const last = ends[0]?.data?.heldBack;
      const all = `${id} was told ${told.map(({ kind, data }) => `${kind} ${JSON.stringify(data)}`).join("; ")}`;
      expect(sum([...matched, last]), `${all}, seed ${seed}`).toBe(matchesEach);
    }
    expect(work).toHaveLength(endings);
  },
  60_000 + rounds * 6_000 + endings * 1_000,
);
