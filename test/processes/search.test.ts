// The verb `search` against a real daemon, and as a command.
import { expect, test } from "vitest";
import type { OperationOutput } from "../../src/protocol/operations.ts";
import { openCliHome } from "../support/cli-home.ts";
import { ask, refused, runToEnd } from "../support/daemon-calls.ts";
import { sharedDaemonHome } from "../support/daemon-home.ts";
import { daemonSource } from "../support/programs.ts";

// From the sources: a checkout must work as the package does.
const shared = await sharedDaemonHome({ program: daemonSource });

test("lines are found in all that is kept, with those around them, page by page", async () => {
  const daemon = shared;
  const id = await runToEnd(daemon, "seq 1 20000; printf 'caf\\303\\251 \\033[31mred\\033[0m end'");
  const all = await ask(daemon, "process.search", { id, regex: "^(5|500|5000)$", context: 1 });
  expect(all).toMatchObject({
    next: null,
    omitted: [],
    matches: [
      { offset: 8, line: "5", before: ["4"], after: ["6"] },
      { line: "500", before: ["499"], after: ["501"] },
      { line: "5000", before: ["4999"], after: ["5001"] },
    ],
  });
  const first = await ask(daemon, "process.search", { id, regex: "7", limit: 2, context: 2 });
  expect(first.matches.map(({ line, after }) => [line, ...after])).toEqual([
    ["7", "8", "9"],
    ["17", "18", "19"],
  ]);
  const second = await ask(daemon, "process.search", { id, regex: "7", limit: 2, from: first.next ?? 0 });
  expect(second.matches.map(({ line }) => line)).toEqual(["27", "37"]);
  // Escapes are no part of a line, and the last line needs no end.
  const last = await ask(daemon, "process.search", { id, regex: "^café red end$" });
  expect(last.matches).toMatchObject([{ line: "café red end" }]);
});

test("each match tells where it was written: behind escapes, wide and broken characters, far into a line, in one of two streams", async () => {
  const daemon = shared;
  const written = String.raw`\033[1;31mred\033[0m \360\237\230\200 caf\303\251 \377 10%%\r\033[Kneedle\n`;
  const script = `printf '${written}'; printf '%0300000d' 0; echo needle; printf aa; sleep 0.1; printf EE >&2; sleep 0.1; echo needle`;
  const id = await runToEnd(daemon, script);
  const raw = await ask(daemon, "process.output", { id, format: "raw", limitBytes: 1_000_000 });
  const bytes = Buffer.from(raw.text ?? "", "base64");
  const { matches } = await ask(daemon, "process.search", { id, regex: "need+le" });
  const places = matches.map(({ matchOffset }) => matchOffset);
  expect(places.map((place) => bytes.toString("latin1", place, place + 6))).toEqual(Array(3).fill("needle"));
  expect(matches[1]?.matchOffset).toBeGreaterThan((matches[1]?.offset ?? 0) + 30_000);
  const one = await ask(daemon, "process.search", { id, regex: "aan", stream: "stdout" });
  expect(one.matches).toMatchObject([{ matchOffset: one.matches[0]?.offset }]);
  const behind = await ask(daemon, "process.search", { id, regex: "needle", stream: "stdout" });
  expect(behind.matches.map(({ matchOffset }) => matchOffset)).toEqual(places);
});

test("each match has the time it was written, also where a search goes on", async () => {
  const daemon = shared;
  // Longer apart than the index tells apart.
  const command = "echo one; read go; sleep 0.05; echo two; echo three";
  const { id } = await ask(daemon, "process.start", { command, cwd: "/", stdin: "open" });
  // And not before the first one has been read.
  await ask(daemon, "process.wait", { ids: [id], for: { kind: "match", text: "one" } });
  await ask(daemon, "process.close-stdin", { id });
  await ask(daemon, "process.wait", { ids: [id] });
  const { pieces = [] } = await ask(daemon, "process.output", { id, pieces: true });
  expect(pieces.length).toBeGreaterThan(1);
  const { matches } = await ask(daemon, "process.search", { id, regex: "^" });
  expect(matches.map(({ line }) => line)).toEqual(["one", "two", "three"]);
  for (const { offset, at } of matches)
    expect(at).toBe(pieces.findLast((piece) => piece.offset <= offset)?.at);
  const [one, two] = matches.map(({ at }) => Date.parse(at));
  expect(two).toBeGreaterThan(one ?? Number.NaN);
  const rest = await ask(daemon, "process.search", { id, regex: "^", from: matches[1]?.offset ?? 0 });
  expect(rest.matches).toEqual(matches.slice(1));
});

test("a search that may take only a moment tells what it found and where to go on, until all was looked at", async () => {
  const daemon = shared;
  const mostPauses = 3;
  const id = await runToEnd(daemon, "seq 1 300000");
  const found: string[] = [];
  const places: number[] = [];
  for (let from: number | null = 0; from !== null;) {
    const answer: OperationOutput<"process.search"> = await ask(daemon, "process.search", {
      id,
      regex: "^[0-9]*00000$",
      from,
      // Every one is a thread of its own: on a slow machine there would be many of them.
      ...(places.length < mostPauses ? { timeMs: 100 } : {}),
    });
    found.push(...answer.matches.map(({ line }) => line));
    from = answer.next;
    if (from !== null) places.push(from);
  }
  expect(found).toEqual(Array.from({ length: 3 }, (_, index) => String((index + 1) * 100_000)));
  expect(places.length).toBeGreaterThan(0);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test("what was dropped is told, one of two streams can be chosen, and a wrong pattern is refused", async () => {
  const daemon = shared;
  const limits = { headBytes: 0, tailBytes: 65_536 };
  const long = await runToEnd(daemon, "seq 1 60000", { limits });
  const { matches, omitted } = await ask(daemon, "process.search", { id: long, regex: "^(10|60000)$" });
  expect(matches.map(({ line }) => line)).toEqual(["60000"]);
  expect(omitted[0]).toMatchObject({ from: 0, why: "dropped" });
  const both = await runToEnd(daemon, "echo a; echo a >&2");
  const found = await ask(daemon, "process.search", { id: both, regex: "a", stream: "stderr" });
  expect(found.matches).toHaveLength(1);
  expect(await refused(daemon, "process.search", { id: both, regex: "(" })).toMatchObject({
    code: "INVALID_ARGUMENT",
  });
  expect(await refused(daemon, "process.search", { id: both, regex: "(?=a)" })).toMatchObject({
    code: "INVALID_ARGUMENT",
  });
});

test("as a command: like grep, with offsets", async () => {
  const cli = openCliHome();
  const id = await cli.background("--", "sh", "-c", "echo one; printf 'two\\033]0;x\\007\\n'; echo three");
  await cli.run(["wait", id]);
  expect(await cli.run(["search", id, "^t", "-C", "1"])).toMatchObject({
    code: 0,
    stdout: "-one\n4:two\n-three\n-two\n14:three\n",
  });
  const timed = await cli.run(["search", id, "^three", "--timestamps"]);
  expect(timed.stdout).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z 14:three\n$/);
  expect(await cli.run(["grep", id, "four"])).toMatchObject({ code: 1, stdout: "" });
  const { matches } = await cli.json<{ matches: unknown[] }>(["search", id, "o", "--limit", "1", "--json"]);
  expect(matches).toHaveLength(1);
});
