// One GiB through a pipe and through a raw terminal is the same bytes at the other end.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { readRunDirectory, type KeptProcess } from "../../src/keeper/index.ts";
import { compileFixture } from "../support/compile-fixture.ts";
import { openKeeperHome } from "../support/keeper-home.ts";

const gibibyte = 2 ** 30;
const roomForAll = { headLimitBytes: 1_048_576, tailLimitBytes: 2 * gibibyte };
let expected = "";

beforeAll(() => {
  const program = compileFixture("random_stream");
  const text = execFileSync("/bin/sh", ["-c", `${program} ${gibibyte} | sha256sum`]).toString();
  expected = text.slice(0, 64);
});

async function hashOfStream(kept: KeptProcess): Promise<{ hash: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const event of kept.output({ follow: true })) {
    if (event.kind !== "data") continue;
    expect(event.offset).toBe(bytes);
    bytes += event.bytes.length;
    hash.update(event.bytes);
  }
  return { hash: hash.digest("hex"), bytes };
}

async function hashOfFiles(directory: string): Promise<{ hash: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const segment of (await readRunDirectory(directory)).segments) {
    expect(segment.firstOffset).toBe(bytes);
    bytes += segment.sizeBytes;
    for await (const chunk of createReadStream(segment.logPath, { highWaterMark: 1_048_576 }))
      hash.update(chunk as Buffer);
  }
  return { hash: hash.digest("hex"), bytes };
}

test("1 GiB through a pipe, followed by a client while it comes", async () => {
  const keeper = await openKeeperHome();
  const program = compileFixture("random_stream");
  const run = await keeper.start({ argv: [program, String(gibibyte)], ...roomForAll });
  const followed = await hashOfStream(keeper.kept(run.id));
  expect(followed).toEqual({ hash: expected, bytes: gibibyte });
  expect(await run.ended).toMatchObject({ exit: { code: 0 }, outputBytes: gibibyte, gapBytes: 0 });
});

test("1 GiB through a raw terminal, read from the files afterwards", async () => {
  const keeper = await openKeeperHome();
  const program = compileFixture("random_stream");
  const run = await keeper.shell(`stty raw -echo; exec ${program} ${gibibyte}`, {
    mode: "pty",
    ...roomForAll,
  });
  expect(await run.ended).toMatchObject({ exit: { code: 0 }, outputBytes: gibibyte, gapBytes: 0 });
  expect(await hashOfFiles(run.directory)).toEqual({ hash: expected, bytes: gibibyte });
});
