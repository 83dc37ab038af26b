// Watching goes on after kill -9 of the daemon exactly where it was: no match missed, none counted or pushed twice.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { ask } from "../support/daemon-calls.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { keeperPidOf, killNow, launcherPidOf } from "../support/process-facts.ts";
import { chosenSeed, seededRandom, soakRounds } from "../support/seeded-random.ts";
import { endUnseen, hitsOf, noticesOf, untilEndsTold, watchesOf } from "../support/watch-calls.ts";

const matches = 2_000;
const rounds = soakRounds(8);

// As long as the kills go on: a daemon is back in most of a second.
const pauseSeconds = (rounds * 0.8) / (matches / 20);

// Numbered matches on both streams, in two parts, between lines that do not match, with a pause now and then.
const script = `i=0; while [ $i -lt ${matches / 2} ]; do i=$((i+1));
  printf "mat"; echo "match e$i" >&2; echo "ch o$i"; echo other
  [ $((i % 10)) -eq 0 ] && sleep ${pauseSeconds.toFixed(3)}
done; printf "last match"; exit 5`;

test(
  `kill -9 at ${rounds} random moments with ${matches} matches: each counted once, each push told once`,
  async () => {
    const seed = chosenSeed();
    const random = seededRandom(seed);
    const daemon = await openDaemonHome({
      environment: { HOLDFAST_WATCH_WINDOW_MS: "200", HOLDFAST_WATCH_STRIKES: "1000" },
    });
    const { id } = await ask(daemon, "process.start", {
      command: script,
      cwd: "/",
      notify: "end",
      watches: [
        { kind: "regex", regex: "^match [oe]\\d+$|last match" },
        { kind: "text", text: "match e", stream: "stderr" },
        { kind: "text", text: "match e", stream: "stdout" },
      ],
    });
    for (let round = 0; round < rounds; round++) {
      await delay(random() < 0.3 ? 0 : random() * 500); // the moment of the kill is the test's input, not a wait
      await daemon.kill();
      await daemon.start();
    }
    const { results } = await ask(daemon, "process.wait", { ids: [id], timeoutMs: 60_000 });
    expect(results[0]?.process.exit).toEqual({ kind: "exited", code: 5 });
    const about = `seed ${seed}`;
    await untilEndsTold(daemon);
    expect(await hitsOf(daemon, id), about).toEqual([matches + 1, matches / 2, 0]);
    const [watch] = await watchesOf(daemon, id);
    const found = await ask(daemon, "watch.hits", { watch: watch?.id ?? "", limit: 1_000 });
    expect(found.hits).toHaveLength(1_000);
    expect(found.gaps, about).toEqual([]);
    const all = await noticesOf(daemon, id, "watch.matched", "process.ended");
    expect(new Set(all.map((notice) => notice.id)).size).toBe(all.length);
    expect(all.map(({ kind }) => kind).lastIndexOf("watch.matched"), about).toBe(all.length - 2);
    // Every match of every watch is told exactly once: in one of the pushes, or with the end.
    const told = all.reduce((sum, { kind, data }) => {
      return sum + Number(data[kind === "watch.matched" ? "count" : "heldBack"] ?? 0);
    }, 0);
    expect(told, about).toBe(matches + 1 + matches / 2);
    const lines = all.flatMap(({ data }) => (data["lines"] ?? []) as { offset: number; line: string }[]);
    expect(new Set(lines.map(({ offset }) => offset)).size, "no line is told twice").toBe(lines.length);
  },
  60_000 + rounds * 3_000,
);

test("a process that ended while no daemon ran: its last lines are looked at first, then its end is told", async () => {
  const daemon = await openDaemonHome();
  const { id } = await ask(daemon, "process.start", {
    command: "read line; echo match one; echo match two >&2; exit 4",
    cwd: "/",
    stdin: "open",
    watches: [{ kind: "text", text: "match" }],
  });
  await daemon.kill();
  await endUnseen(daemon, id);
  await daemon.start();
  await ask(daemon, "process.wait", { ids: [id] });
  await untilEndsTold(daemon);
  expect(await hitsOf(daemon, id)).toEqual([2]);
  expect(await noticesOf(daemon, id, "watch.matched", "process.ended")).toMatchObject([
    { kind: "watch.matched", data: { count: 2 } },
    { kind: "process.ended" },
  ]);
});

test("a process that is lost: what it had written is looked at before that is told", async () => {
  const daemon = await openDaemonHome();
  const { id } = await ask(daemon, "process.start", {
    command: "read line; echo match; sleep 1000",
    cwd: "/",
    stdin: "open",
    notify: "end",
    watches: [{ kind: "text", text: "match" }],
  });
  const directory = join(daemon.home, "runs", id);
  await ask(daemon, "process.close-stdin", { id });
  await daemon.kill();
  const written = (): string => readFileSync(join(directory, "0000000000000000.log"), "utf8");
  await expect.poll(written, { timeout: 10_000 }).toBe("match\n");
  await killNow(launcherPidOf(daemon.home) ?? 0);
  await killNow(keeperPidOf(directory));
  await daemon.start();
  await ask(daemon, "process.wait", { ids: [id] });
  await untilEndsTold(daemon);
  expect(await noticesOf(daemon, id, "watch.matched", "process.ended")).toMatchObject([
    { kind: "watch.matched", data: { count: 1 } },
    { kind: "process.ended", process: { exit: { kind: "lost" } } },
  ]);
});

test("a lost database: watches of the start are found in the run directory and begin anew", async () => {
  const daemon = await openDaemonHome();
  const { id } = await ask(daemon, "process.start", {
    command: "echo match; cat",
    cwd: "/",
    stdin: "open",
    watches: [{ kind: "text", text: "match" }],
  });
  await expect.poll(() => hitsOf(daemon, id), { timeout: 10_000 }).toEqual([1]);
  await daemon.kill();
  for (const name of readdirSync(daemon.home).filter((file) => file.startsWith("holdfast.db")))
    rmSync(join(daemon.home, name));
  await daemon.start();
  await ask(daemon, "process.write", { id, parts: [{ text: "match\n" }] });
  await expect.poll(() => hitsOf(daemon, id), { timeout: 10_000 }).toEqual([2]);
});

test("a watch added for earlier output is not lost in the middle of it", async () => {
  const daemon = await openDaemonHome();
  const { id } = await ask(daemon, "process.start", {
    command: "seq 200000; echo done; cat",
    cwd: "/",
    stdin: "open",
    watches: [{ kind: "text", text: "done" }],
  });
  await expect.poll(() => hitsOf(daemon, id), { timeout: 20_000 }).toEqual([1]);
  await ask(daemon, "watch.add", { id, watch: { kind: "regex", regex: "7", from: "start" } });
  await daemon.kill();
  await daemon.start();
  const sevens = Array.from({ length: 200_000 }, (_, index) => String(index + 1)).filter((text) =>
    text.includes("7"),
  );
  await expect.poll(() => hitsOf(daemon, id), { timeout: 20_000 }).toEqual([1, sevens.length]);
  await ask(daemon, "process.write", { id, parts: [{ text: "7\ndone\n" }] });
  await expect.poll(() => hitsOf(daemon, id), { timeout: 20_000 }).toEqual([2, sevens.length + 1]);
});

test("watches that come while lines are found: those of the others are counted once", async () => {
  const daemon = await openDaemonHome();
  const { id } = await ask(daemon, "process.start", {
    command: "i=0; while [ $i -lt 1000 ]; do i=$((i+1)); echo match; sleep 0.001; done",
    cwd: "/",
    watches: [{ kind: "text", text: "match" }],
  });
  for (let added = 0; added < 20; added++) {
    // A batch comes 100 ms after the first match that a scan finds: the moment is the test's input, not a wait.
    await delay(95 + (added % 12));
    await daemon.call("watch.add", { id, watch: { kind: "text", text: "none" } });
  }
  await ask(daemon, "process.wait", { ids: [id] });
  await untilEndsTold(daemon);
  expect((await hitsOf(daemon, id))[0]).toBe(1_000);
});
