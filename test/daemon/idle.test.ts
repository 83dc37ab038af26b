// Whether anything runs, for hosts that scale to zero.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { OperationOutput } from "../../src/protocol/operations.ts";
import { readPresence } from "../../src/home/index.ts";
import { buildPackage } from "../support/built-package.ts";
import { openCliHome } from "../support/cli-home.ts";
import { connectedClient } from "../support/connected-client.ts";
import { newTestHome } from "../support/test-home.ts";

type Idle = OperationOutput<"daemon.idle">;

const built = buildPackage();

test("a home that was never used is idle, and stays without a daemon", async () => {
  const cli = openCliHome(newTestHome(), built.cli);
  expect(await cli.run(["daemon", "idle"])).toMatchObject({ code: 0, stdout: "idle\n" });
  expect(readPresence(cli.home)).toMatchObject({ state: "stopped", status: null });
});

test("a running process makes it busy, with a daemon and without; its end makes it idle", async () => {
  const cli = openCliHome(newTestHome(), built.cli);
  const id = await cli.background("--", "sleep", "60");
  expect(await cli.run(["daemon", "idle"])).toMatchObject({ code: 1, stdout: "busy: processes 1\n" });
  await cli.run(["daemon", "stop"]);
  const alone = await cli.run(["daemon", "idle", "--json"]);
  expect(alone).toMatchObject({ code: 1 });
  const sources = [
    { name: "processes", count: 1 },
    { name: "waits", count: 0 },
  ];
  expect((JSON.parse(alone.stdout) as Idle).sources).toEqual(expect.arrayContaining(sources));
  await cli.run(["stop", id, "--grace", "0"]);
  const after = await cli.run(["daemon", "idle", "--json"]);
  expect(after).toMatchObject({ code: 0 });
  expect(JSON.parse(after.stdout)).toMatchObject({ idle: true });
});

test("a wait alone makes it busy", async () => {
  const cli = openCliHome(newTestHome(), built.cli);
  const id = await cli.background("--", "sleep", "60");
  const client = await connectedClient({ home: cli.home });
  const waiting = client.process.wait({ ids: [id] });
  const waits = async (): Promise<unknown> => (await client.daemon.idle()).sources;
  await expect.poll(waits).toContainEqual({ name: "waits", count: 1 });
  await client.process.stop({ ids: [id], graceMs: 0 });
  await waiting;
  await expect.poll(waits).toContainEqual({ name: "waits", count: 0 });
});

test("what cannot be read counts as busy: no answer is never taken for idle", async () => {
  const cli = openCliHome(newTestHome(), built.cli);
  mkdirSync(join(cli.home, "runs", "p_000000000000"), { recursive: true });
  writeFileSync(join(cli.home, "holdfast.yaml"), "stop: soon\n");
  const answer = await cli.run(["daemon", "idle"]);
  expect(answer.stderr).toContain("[CONFIG_INVALID]");
  expect(answer).toMatchObject({ code: 2, stdout: "" });
});
