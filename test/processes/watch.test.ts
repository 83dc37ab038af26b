// Watches on the output of real processes: what they match, what they tell, and when.
import { expect, test } from "vitest";
import type { MatchedLine } from "../../src/processes/watch/matched-line.ts";
import type { OperationOutput } from "../../src/protocol/operations.ts";
import { ask, refused, runToEnd } from "../support/daemon-calls.ts";
import { openDaemonHome, sharedDaemonHome } from "../support/daemon-home.ts";
import { daemonSource } from "../support/programs.ts";
import { hitsOf, noticesOf, untilEndsTold, watchesOf } from "../support/watch-calls.ts";

// From the sources: a checkout must work as the package does.
const shared = await sharedDaemonHome({ program: daemonSource });

test("a text and a pattern, on one stream or both, are matched on lines put together without escapes", async () => {
  const daemon = shared;
  const { id } = await ask(daemon, "process.start", {
    command:
      "printf 'ready on '; sleep 0.1; printf '\\033[1mport\\033[0m 80\\n'; echo 'ready on port 81' >&2; printf '10%%\\r100%% done\\n'; sleep 1000",
    cwd: "/",
    owner: { session: "s1" },
    watches: [
      { kind: "text", text: "ready on port", stream: "stdout" },
      { kind: "regex", regex: "port \\d+$", stream: "stderr" },
      { kind: "regex", regex: "^100% done$" },
      { kind: "text", text: "10%" },
    ],
  });
  await expect.poll(() => hitsOf(daemon, id), { timeout: 10_000 }).toEqual([1, 1, 1, 0]);
  // Told together, unless something kept it from writing on: then in two parts, when the window of the first is over.
  const told = async (): Promise<number> =>
    (await noticesOf(daemon, id, "watch.matched")).reduce((sum, { data }) => sum + Number(data["count"]), 0);
  await expect.poll(told, { timeout: 40_000 }).toBe(3);
  const pushed = await noticesOf(daemon, id, "watch.matched");
  for (const push of pushed) expect(push).toMatchObject({ state: "pending", owner: { session: "s1" } });
  const lines = pushed.flatMap(({ data }) => (data["lines"] ?? []) as MatchedLine[]);
  expect(lines.toSorted((a, b) => a.line.localeCompare(b.line))).toMatchObject([
    { line: "100% done", stream: "stdout" },
    { line: "ready on port 80", stream: "stdout", offset: 0 },
    { line: "ready on port 81", stream: "stderr" },
  ]);
  expect(pushed[0]?.text).toContain("ready on port 80");
});

test("a pattern written in two parts is found, wherever it is split, in characters and escapes too", async () => {
  const daemon = shared;
  const line = Buffer.from("\u001b[31mgrößer \u20ac\u001b[0m \u{1f600} done");
  const splits = [1, 3, 5, 8, 9, 14, 15, 18, 22, 23, 24, 25, line.length - 1];
  const quoted = (bytes: Buffer): string =>
    [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  const script = splits
    .map(
      (at) =>
        `printf '${quoted(line.subarray(0, at))}'; sleep 0.03; printf '${quoted(line.subarray(at))}\\n'`,
    )
    .join("; ");
  const id = await runToEnd(daemon, script, {
    watches: [{ kind: "regex", regex: "^größer \u20ac \u{1f600} done$" }],
  });
  await untilEndsTold(daemon);
  expect(await hitsOf(daemon, id)).toEqual([splits.length]);
});

test("a prompt matches after a short pause, and counts once when it is completed", async () => {
  const daemon = shared;
  const { id } = await ask(daemon, "process.start", {
    command: "printf 'Name: '; read name; echo \"Hello $name\"; cat",
    cwd: "/",
    stdin: "open",
    watches: [
      { kind: "text", text: "Name:" },
      { kind: "text", text: "Hello" },
    ],
  });
  await expect.poll(() => hitsOf(daemon, id), { timeout: 10_000 }).toEqual([1, 0]);
  await ask(daemon, "process.write", { id, parts: [{ text: "Ann\n" }] });
  await expect.poll(() => hitsOf(daemon, id), { timeout: 10_000 }).toEqual([1, 1]);
  await ask(daemon, "process.close-stdin", { id });
  await ask(daemon, "process.wait", { ids: [id] });
  expect(await hitsOf(daemon, id)).toEqual([1, 1]);
});

test("a watch that is added later looks from now, from the start, or from an offset", async () => {
  const daemon = shared;
  const { id } = await ask(daemon, "process.start", {
    command: "for i in 1 2 3 4; do echo line $i; done; cat",
    cwd: "/",
    stdin: "open",
    watches: [{ kind: "text", text: "line" }],
  });
  await expect.poll(() => hitsOf(daemon, id), { timeout: 10_000 }).toEqual([4]);
  for (const from of ["now", "start", 7, 8] as const)
    await ask(daemon, "watch.add", { id, watch: { kind: "text", text: "line", from } });
  // Line 2 begins at 7.
  await expect.poll(() => hitsOf(daemon, id), { timeout: 10_000 }).toEqual([4, 0, 4, 3, 2]);
  await ask(daemon, "process.write", { id, parts: [{ text: "line 5\nother\n" }] });
  await expect.poll(() => hitsOf(daemon, id), { timeout: 10_000 }).toEqual([5, 1, 5, 4, 3]);
  await ask(daemon, "process.close-stdin", { id });
  await ask(daemon, "process.wait", { ids: [id] });
  expect(await hitsOf(daemon, id)).toEqual([5, 1, 5, 4, 3]);
  const late = { id, watch: { kind: "text", text: "x" } };
  expect(await refused(daemon, "watch.add", late)).toMatchObject({ code: "PROCESS_ENDED" });
});

test("matches are found again, in pages, in the order in which their lines begin", async () => {
  const daemon = shared;
  const id = await runToEnd(
    daemon,
    "i=0; while [ $i -lt 250 ]; do i=$((i+1)); echo n $i; echo e $i >&2; done",
    {
      watches: [
        { kind: "regex", regex: "^n \\d+$" },
        { kind: "silence", ms: 100_000 },
      ],
    },
  );
  await untilEndsTold(daemon);
  const [numbers, silence] = await watchesOf(daemon, id);
  expect(numbers).toMatchObject({ hits: 250, state: "ended" });
  const lines: string[] = [];
  let next: number | null = 0;
  let pages = 0;
  while (next !== null) {
    const page: OperationOutput<"watch.hits"> = await ask(daemon, "watch.hits", {
      watch: numbers?.id ?? "",
      from: next,
      limit: 60,
    });
    lines.push(...page.hits.map(({ line }) => line));
    ({ next } = page);
    pages += 1;
  }
  expect(lines).toEqual(Array.from({ length: 250 }, (_, index) => `n ${index + 1}`));
  expect(pages).toBe(5);
  expect(await refused(daemon, "watch.hits", { watch: silence?.id })).toMatchObject({
    code: "INVALID_ARGUMENT",
  });
  expect(await refused(daemon, "watch.hits", { watch: "w_23456789bcdf" })).toMatchObject({
    code: "WATCH_NOT_FOUND",
  });
});

test("a watch that is removed finds nothing more; the others go on", async () => {
  const daemon = shared;
  const { id } = await ask(daemon, "process.start", {
    command: "cat",
    cwd: "/",
    stdin: "open",
    watches: [
      { kind: "text", text: "a" },
      { kind: "text", text: "b" },
    ],
  });
  await ask(daemon, "process.write", { id, parts: [{ text: "a b\n" }] });
  await expect.poll(() => hitsOf(daemon, id), { timeout: 10_000 }).toEqual([1, 1]);
  const [first] = await watchesOf(daemon, id);
  expect(await ask(daemon, "watch.remove", { watch: first?.id ?? "" })).toEqual({ removed: true });
  expect(await ask(daemon, "watch.remove", { watch: first?.id ?? "" })).toEqual({ removed: false });
  await ask(daemon, "process.write", { id, parts: [{ text: "a b\n" }] });
  await expect.poll(() => hitsOf(daemon, id), { timeout: 10_000 }).toEqual([2]);
});

test("patterns that cannot be used are refused before anything is stored or started", async () => {
  const daemon = await openDaemonHome();
  const start = (watch: object, more: object = {}): Promise<{ code: string }> =>
    refused(daemon, "process.start", { command: "true", cwd: "/", watches: [watch], ...more });
  for (const regex of ["(a)\\1", "(?=a)", "[z-a]", "[a-z]{1,1000}".repeat(70)]) {
    expect(await start({ kind: "regex", regex }), regex).toMatchObject({ code: "INVALID_ARGUMENT" });
  }
  expect(await start({ kind: "input" })).toMatchObject({ code: "INVALID_ARGUMENT" });
  const named = await ask(daemon, "process.start", { command: "sleep 1000", cwd: "/", name: "kept" });
  const replacing = { name: "kept", replace: true };
  expect(await start({ kind: "regex", regex: "(" }, replacing)).toMatchObject({ code: "INVALID_ARGUMENT" });
  expect(
    await refused(daemon, "watch.add", { id: named.id, watch: { kind: "regex", regex: "(" } }),
  ).toMatchObject({
    code: "INVALID_ARGUMENT",
  });
  expect((await ask(daemon, "process.list", {})).processes).toMatchObject([
    { id: named.id, state: "running" },
  ]);
  expect(await watchesOf(daemon, named.id)).toEqual([]);
});
