import { mkdtempSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exitRecordOfState, parseExitRecord, readExitRecord } from "./exit-record.ts";
import { parseText } from "./text-format.ts";

const common =
  "stop_reason user\nstop_by the owner, 100%25\nended_at 1700\nduration_us 12\noutput_bytes 5\ngap_bytes 1\ndescendants 2\n";
const usage = "user_us 1\nsystem_us 2\nmax_rss_kib 3\n";

function summed(text: string): Buffer {
  return Buffer.from(`${text}sum ${crc32(text).toString(16).padStart(8, "0")}\n`);
}

describe("parseExitRecord", () => {
  test("reads every kind", () => {
    const exitOf = (lines: string) => parseExitRecord(summed(`contract 1.0\n${lines}${common}`))?.exit;
    expect(exitOf("kind exited\ncode 0\n")).toEqual({ kind: "exited", code: 0 });
    expect(exitOf("kind signaled\nsignal 11\ncore 1\n")).toEqual({
      kind: "signaled",
      signal: 11,
      coreDumped: true,
    });
    expect(exitOf("kind spawn_failed\nstage cwd\nerrno 2\n")).toEqual({
      kind: "spawn_failed",
      stage: "cwd",
      errno: 2,
    });
    expect(exitOf("kind lost\nlast_seen 99\n")).toEqual({ kind: "lost", lastSeen: 99 });
  });

  test("reads the rest", () => {
    expect(parseExitRecord(summed(`contract 1.0\nkind exited\ncode 3\n${common}${usage}`))).toEqual({
      exit: { kind: "exited", code: 3 },
      stopReason: "user",
      stopBy: "the owner, 100%",
      endedAt: 1700,
      durationUs: 12,
      usage: { userUs: 1, systemUs: 2, maxRssKib: 3 },
      outputBytes: 5,
      gapBytes: 1,
      descendants: 2,
    });
  });

  test("never reads a missing or unknown exit as one", () => {
    for (const lines of [
      "",
      "kind exited\n",
      "kind exited\ncode x\n",
      "kind signaled\n",
      "kind danced\n",
      "kind spawn_failed\nerrno 1\n",
    ]) {
      expect(parseExitRecord(summed(`contract 1.0\n${lines}${common}`))).toBeUndefined();
    }
  });

  test("a record with any byte changed, or cut anywhere, does not exist", () => {
    const whole = summed(`contract 1.0\nkind exited\ncode 0\n${common}`);
    fc.assert(
      fc.property(fc.nat(whole.length - 14), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ change;
        expect(parseExitRecord(changed)).toBeUndefined();
      }),
    );
    // Without its last newline the sum is still whole.
    for (const end of Array.from(whole.keys()).slice(0, -1))
      expect(parseExitRecord(whole.subarray(0, end))).toBeUndefined();
  });
});

test("the record in a STATE has its own numbers", () => {
  const state = `state ended\npid 7\nend_offset 900\ncontract 1.0\nkind exited\ncode 1\n${common}sum 00000000\n`;
  expect(exitRecordOfState(parseText(state))).toMatchObject({
    exit: { kind: "exited", code: 1 },
    outputBytes: 5,
  });
});

test("readExitRecord: no file, no record", async () => {
  const directory = mkdtempSync(join(homedir(), "exit-"));
  expect(await readExitRecord(directory)).toBeUndefined();
  expect(await readExitRecord(join(directory, "nowhere"))).toBeUndefined();
  writeFileSync(join(directory, "exit"), summed(`contract 1.0\nkind exited\ncode 4\n${common}`));
  expect(await readExitRecord(directory)).toMatchObject({ exit: { kind: "exited", code: 4 } });
});
