// Run directories of contract 1.0, kept in test/data as a keeper of that version left them, open for ever; newer minor versions are
// tolerated and other major ones refused. `cut` lost its keeper and its machine's boot, the others ended.
import { appendFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import {
  KeptProcess,
  openAttachCommand,
  readRunDirectory,
  readStoredOutput,
  runsDirectory,
  scanRuns,
  type OutputEvent,
} from "../../src/keeper/index.ts";
import { replaceLine } from "../support/copied-run.ts";
import { openKeeperHome, type KeeperHome } from "../support/keeper-home.ts";

const stored = join(import.meta.dirname, "../data/contract-1.0");

/** A home with copies, since a test may recover them. */
async function openWithOldRuns(): Promise<KeeperHome> {
  const keeper = await openKeeperHome();
  cpSync(stored, runsDirectory(keeper.home), { recursive: true });
  return keeper;
}

async function collect(
  events: AsyncIterable<OutputEvent>,
): Promise<{ text: string; marks: string[]; missing: string[] }> {
  const seen = { text: "", marks: [] as string[], missing: [] as string[] };
  for await (const event of events) {
    if (event.kind === "data") seen.text += event.bytes.toString("latin1");
    if (event.kind === "mark") seen.marks.push(`${event.mark} ${event.offset} ${event.value}`);
    if (event.kind === "missing") seen.missing.push(`${event.why} ${event.from} ${event.to}`);
  }
  return seen;
}

function attach(keeper: KeeperHome, id: string): KeptProcess {
  const command = [keeper.binary, "attach", keeper.directory(id)];
  return new KeptProcess({ connect: () => Promise.resolve(openAttachCommand(command)) });
}

const endings = {
  split: { kind: "exited", code: 7 },
  terminal: { kind: "signaled", signal: 15, coreDumped: false },
  trimmed: { kind: "exited", code: 0 },
  failed: { kind: "spawn_failed", stage: "exec", errno: 2 },
} as const;

test("one scan tells the ended ones from the one cut off by a reboot", async () => {
  const keeper = await openKeeperHome();
  expect(Object.fromEntries(await scanRuns(keeper.binary, stored))).toEqual({
    split: "ended",
    terminal: "ended",
    trimmed: "ended",
    failed: "ended",
    cut: "earlier-boot",
  });
});

test("what was asked for and how it ended is read from the directory", async () => {
  for (const [id, exit] of Object.entries(endings)) {
    expect((await readRunDirectory(join(stored, id))).exit?.exit, id).toEqual(exit);
  }
  const { spec, keeper } = await readRunDirectory(join(stored, "split"));
  expect(spec).toMatchObject({
    contract: "1.0",
    id: "split",
    mode: "split",
    stdin: "empty",
    cwd: "/",
    note: "100% sure\nof it",
    environmentNames: ["PATH", "LANG", "HOLDFAST_RUN"],
  });
  expect(spec.argv.slice(0, 2)).toEqual(["/bin/sh", "-c"]);
  expect(keeper?.build).toMatch(/^[0-9a-f]{16}$/);
  const terminal = await readRunDirectory(join(stored, "terminal"));
  expect(terminal.spec).toMatchObject({ mode: "pty", columns: 90, rows: 30, stdin: "open" });
  expect((await readRunDirectory(join(stored, "cut"))).exit).toBeUndefined();
});

test("output comes out of the files and through `keeper attach` alike, with streams, sizes and what was dropped", async () => {
  const keeper = await openWithOldRuns();
  for (const id of Object.keys(endings)) {
    const fromFiles = await collect(readStoredOutput(keeper.directory(id), { marks: true }));
    const attached = attach(keeper, id);
    const fromAttach = await collect(attached.output({ from: 0, marks: true }));
    attached.close();
    expect(fromAttach, id).toEqual(fromFiles);
  }
  const split = await collect(readStoredOutput(keeper.directory("split"), { marks: true }));
  expect(split).toEqual({
    text: "out 1\nerr 1\nout 2\0\xff\n",
    marks: ["stdout 0 0", "stderr 6 0", "stdout 12 0"],
    missing: [],
  });
  const terminal = await collect(readStoredOutput(keeper.directory("terminal"), { marks: true }));
  expect(terminal.text).toBe("30 90\r\ngo\r\n40 120\r\n");
  expect(terminal.marks).toContain(`resized 7 ${120 * 65_536 + 40}`);
  const trimmed = await collect(readStoredOutput(keeper.directory("trimmed")));
  expect(trimmed.missing).toEqual(["dropped 1024 62464"]);
  expect(trimmed.text).toHaveLength(1024 + 4096 * 2 + 234);
  expect(trimmed.text.endsWith("number 5999\n")).toBe(true);
});

test("an ended old run answers through attach with its end, and refuses input", async () => {
  const keeper = await openWithOldRuns();
  for (const [id, exit] of Object.entries(endings)) {
    const attached = attach(keeper, id);
    expect((await attached.wait()).exit, id).toEqual(exit);
    expect(await attached.stop()).toMatchObject({ outcome: "had_ended" });
    await expect(attached.write("x")).rejects.toMatchObject({ code: "PROCESS_ENDED" });
    attached.close();
  }
});

test("the one cut off is recovered as lost, with its output", async () => {
  const keeper = await openWithOldRuns();
  expect(await keeper.launcher.recover("cut")).toBe("ended");
  const { exit } = await readRunDirectory(keeper.directory("cut"));
  expect(exit).toMatchObject({ exit: { kind: "lost" }, outputBytes: 11, descendants: 0 });
  expect((await collect(readStoredOutput(keeper.directory("cut")))).text).toBe("last words\n");
  expect((await scanRuns(keeper.binary, runsDirectory(keeper.home))).get("cut")).toBe("ended");
});

test("a directory of a newer minor version, with keys and marks nobody knows here, opens all the same", async () => {
  const keeper = await openWithOldRuns();
  const directory = keeper.directory("split");
  replaceLine(directory, "spec", "contract", "1.9");
  replaceLine(directory, "keeper", "contract", "1.9");
  appendFileSync(join(directory, "spec"), "future_option a%20b\n");
  const exit = readFileSync(join(directory, "exit"), "latin1").replace(/sum .*\n/, "future_key 1\n");
  writeFileSync(join(directory, "exit"), `${exit}sum ${crc32(exit).toString(16).padStart(8, "0")}\n`);
  const index = join(directory, "0000000000000000.idx");
  appendFileSync(index, `z ${"9".padStart(16, "0")} ${"20".padStart(16, "0")} ${"1".padStart(13, "0")}\n`);

  expect((await readRunDirectory(directory)).exit?.exit).toEqual(endings.split);
  expect((await scanRuns(keeper.binary, runsDirectory(keeper.home))).get("split")).toBe("ended");
  const attached = attach(keeper, "split");
  const seen = await collect(attached.output({ from: 0, marks: true }));
  expect(seen.text).toBe("out 1\nerr 1\nout 2\0\xff\n");
  expect(seen).toEqual(await collect(readStoredOutput(directory, { marks: true })));
  expect((await attached.wait()).exit).toEqual(endings.split);
  attached.close();
});

test("a directory of another major version is refused, and nobody touches what it names", async () => {
  const keeper = await openWithOldRuns();
  const directory = keeper.directory("cut");
  replaceLine(directory, "spec", "contract", "2.0");
  await expect(readRunDirectory(directory)).rejects.toMatchObject({ code: "CONTRACT_MISMATCH" });
  expect((await scanRuns(keeper.binary, runsDirectory(keeper.home))).get("cut")).toBe("damaged");
});
