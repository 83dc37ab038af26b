// Killed at any moment, the store has everything it ever acknowledged.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { fixtureProgram } from "../support/programs.ts";
import { newStoreFile, openTestStore } from "../support/test-store.ts";

const program = fixtureProgram("store-insert-forever");
const rounds = 20;

/** Kills the program, wherever it is by then, when `lines` ids have come; returns every id it acknowledged. */
async function insertUntilKilled(file: string, lines: number): Promise<string[]> {
  const child = spawn(process.execPath, [program, file], { stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "exit");
  const complaints = text(child.stderr);
  let output = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    output += String(chunk);
    if (!child.killed && output.split("\n").length > lines) child.kill("SIGKILL");
  }
  const [, signal] = (await exited) as [number | null, string | null];
  expect(signal, await complaints).toBe("SIGKILL");
  return output.split("\n").slice(0, -1);
}

test(`${rounds} kills lose no acknowledged row`, { timeout: 120_000 }, async () => {
  const file = newStoreFile();
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round++) {
    acknowledged.push(...(await insertUntilKilled(file, 1 + Math.floor(Math.random() * 100))));
  }
  const { store, problems } = await openTestStore(file);
  expect(problems).toEqual([]);
  expect(await store.checkIntegrity()).toEqual([]);
  const stored = (await store.processes.list({ labels: { made: "here" } })).map(({ id }) => id);
  const present = new Set(stored);
  expect(acknowledged.filter((id) => !present.has(id))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThanOrEqual(rounds);
  // Committed and not yet acknowledged: at most one in each round.
  expect(stored.length - acknowledged.length).toBeLessThanOrEqual(rounds);
  const told = await store.events.after(0, 1_000_000);
  expect(new Set(told.map(({ processId }) => processId))).toEqual(present);
  expect(told).toHaveLength(stored.length);
});
