import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endedState } from "./ended-state.ts";
import { parseKeeperFile } from "./keeper-file.ts";
import { checkRunId, isDirectory, markAbandoned, readRunDirectory } from "./run-directory.ts";

function newRun(): string {
  const directory = mkdtempSync(join(homedir(), "run-"));
  writeFileSync(
    join(directory, "spec"),
    "mode merged\ncontract 1.0\nid x\narg sh\nboot b\nchild_pid 4\nchild_start 5\n",
  );
  writeFileSync(join(directory, "0000000000000000.log"), "hello");
  return directory;
}

test("a run directory tells everything without a keeper", async () => {
  const directory = newRun();
  writeFileSync(
    join(directory, "keeper"),
    `contract 1.0\npid 7\nstart 8\nboot b\nbuild abc\nend 0\n${" ".repeat(100)}\n`,
  );
  const run = await readRunDirectory(directory);
  expect(run).toMatchObject({
    directory,
    exit: undefined,
    isAbandoned: false,
    spec: { id: "x", mode: "merged" },
  });
  expect(run.keeper?.identity).toEqual({ pid: 7, startTime: 8, bootId: "b" });
  expect(run.segments).toHaveLength(1);
});

test("the keeper's file may be padded anywhere, or empty", () => {
  expect(parseKeeperFile("contract 1.0   \npid 7  \nstart 8\nboot b \nbuild x\n    \n")).toEqual({
    contract: "1.0",
    build: "x",
    identity: { pid: 7, startTime: 8, bootId: "b" },
  });
  expect(parseKeeperFile("")).toEqual({ contract: "", build: "" });
});

test("a run is marked as given up only where there is one", async () => {
  const directory = newRun();
  expect(await markAbandoned(directory)).toBe(true);
  expect(await markAbandoned(directory)).toBe(true);
  expect((await readRunDirectory(directory)).isAbandoned).toBe(true);
  const nowhere = join(homedir(), "nowhere");
  expect(await markAbandoned(nowhere)).toBe(false);
  expect(existsSync(nowhere)).toBe(false);
  expect(await isDirectory(nowhere)).toBe(false);
  expect(await isDirectory(join(directory, "spec"))).toBe(false);
});

test("the state of an ended run comes from its files", async () => {
  const directory = newRun();
  writeFileSync(join(directory, "0000000000000020.log"), "tail");
  const exit = {
    exit: { kind: "exited", code: 0 },
    stopReason: "none",
    endedAt: 1,
    durationUs: 1,
    outputBytes: 20,
    gapBytes: 0,
    descendants: 0,
  } as const;
  expect(await endedState(directory, exit)).toMatchObject({
    state: "ended",
    pid: 4,
    outputBytes: 24,
    firstTailOffset: 20,
    droppedBytes: 15,
    isOutputClosed: true,
    exit,
  });
});

test("ids are names, never paths", () => {
  for (const id of ["a", "_", "0-", "A".repeat(64)]) expect(() => checkRunId(id)).not.toThrow();
  for (const id of ["", "-", "..", "a/b", "a b", "é", "a\n", "A".repeat(65)]) {
    expect(() => checkRunId(id), id).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }) as Error);
  }
});
