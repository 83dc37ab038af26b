// A terminal that is removed is gone, whatever its emulator was just doing.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeRunDirectory } from "../../src/processes/recover/remove-run-directory.ts";
import { writeCheckpoint } from "../../src/terminals/thread/checkpoint-file.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { newTestHome } from "../support/test-home.ts";

const checkpoint = {
  offset: 0,
  columns: 80,
  rows: 24,
  resizedUs: 0,
  writer: "0123456789abcdef",
  answeredBytes: 0,
  history: [],
  state: Buffer.alloc(65_536, "x"),
};

test("a run directory goes while screens are written into it, and none of them brings it back", async () => {
  const home = newTestHome();
  const remove = async (id: string): Promise<void> => {
    const directory = join(home, "runs", id);
    mkdirSync(directory, { recursive: true });
    for (let file = 0; file < 8; file++) writeFileSync(join(directory, `file-${file}`), "");
    const first = Promise.withResolvers<void>();
    const writing = (async () => {
      while (await writeCheckpoint(directory, checkpoint)) first.resolve();
    })();
    await first.promise;
    await removeRunDirectory(home, id);
    await writing;
  };
  for (let round = 0; round < 25; round++)
    await Promise.all(Array.from({ length: 4 }, (_, index) => remove(`p_${round}_${index}`)));
  expect(readdirSync(join(home, "runs"))).toEqual([]);
});

test("removed at once, with a terminal that still draws: the answer is yes, and nothing is left", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const startAndRemove = async (): Promise<unknown> => {
    const { id } = await client.process.start({
      command: "while :; do seq 1 3000; done",
      cwd: "/",
      mode: "pty",
    });
    await client.process.wait({ ids: [id], for: { kind: "match", text: "3000" } });
    return (await client.process.remove({ ids: [id], force: true })).results[0];
  };
  const removed = await Promise.all(Array.from({ length: 4 }, startAndRemove));
  for (const result of removed) expect(result).toMatchObject({ removed: true });
  const runs = readdirSync(join(daemon.home, "runs"));
  expect(runs.filter((name) => name.includes("p_"))).toEqual([]);
});
