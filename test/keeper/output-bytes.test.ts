// Bytes arrive as they were written, however odd they are and however soon the child is gone.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunMode } from "../../src/keeper/index.ts";
import { compileFixture } from "../support/compile-fixture.ts";
import { collectOutput, openKeeperHome, outputContains, type KeeperHome } from "../support/keeper-home.ts";

const everyByte = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
// Cut-off and overlong sequences, surrogates, bytes that no UTF-8 has.
const notText = Buffer.from("c3 28 e2 82 f0 9f 98 ed a0 80 c0 80 fe ff 00 00 80".replaceAll(" ", ""), "hex");
const odd = Buffer.concat([everyByte, notText, everyByte.toReversed(), Buffer.alloc(5000)]);

/** Sends bytes through a child that gives them back. */
async function thereAndBack(keeper: KeeperHome, mode: RunMode, bytes: Buffer): Promise<Buffer> {
  const script = mode === "pty" ? "stty raw -echo; printf R" : "printf R";
  const run = await keeper.shell(`${script}; exec head -c ${bytes.length}`, { mode, stdin: "open" });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "R");
  await kept.write(bytes);
  expect((await run.ended).exit).toEqual({ kind: "exited", code: 0 });
  return await collectOutput(kept, { from: 1 });
}

test.each(["split", "merged", "pty"] as const)(
  "all 256 byte values, NULs and broken UTF-8 pass through %s both ways",
  async (mode) => {
    const keeper = await openKeeperHome();
    expect((await thereAndBack(keeper, mode, odd)).equals(odd)).toBe(true);
  },
);

function storedOutput(directory: string): Buffer {
  return readFileSync(join(directory, "0000000000000000.log"));
}

async function runMany(keeper: KeeperHome, count: number, mode: RunMode): Promise<number> {
  const program = compileFixture("exit_with");
  let started = 0;
  let whole = 0;
  const worker = async (): Promise<void> => {
    while (started < count) {
      const code = 33 + (started++ % 90); // printable: a terminal that is not raw passes these on unchanged
      const run = await keeper.start({ argv: [program, String(code)], mode });
      const record = await run.ended;
      // Everything was stored before anybody was told of the end.
      const stored = storedOutput(run.directory);
      expect(record).toMatchObject({ exit: { kind: "exited", code }, outputBytes: 100, gapBytes: 0 });
      if (stored.equals(Buffer.alloc(100, code))) whole += 1;
    }
  };
  await Promise.all(Array.from({ length: 12 }, worker));
  return whole;
}

test("1,000 children that exit in under a millisecond lose no output", async () => {
  const keeper = await openKeeperHome();
  expect(await runMany(keeper, 1_000, "split")).toBe(1_000);
});

test("300 children that exit at once on a terminal lose no output", async () => {
  const keeper = await openKeeperHome();
  expect(await runMany(keeper, 300, "pty")).toBe(300);
});

test("a child that fills the pipe and exits has every byte stored before its end is told", async () => {
  const keeper = await openKeeperHome();
  const program = compileFixture("random_stream");
  for (const mode of ["split", "pty"] as const) {
    const run = await keeper.shell(`stty raw 2>/dev/null; exec ${program} 3000000`, { mode });
    expect(await run.ended).toMatchObject({ exit: { code: 0 }, outputBytes: 3_000_000 });
    expect((await collectOutput(keeper.kept(run.id))).length).toBe(3_000_000);
  }
});
