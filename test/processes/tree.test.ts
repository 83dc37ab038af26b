import { expect, test } from "vitest";
import { ask, refused, runToEnd } from "../support/daemon-calls.ts";
import { sharedDaemonHome } from "../support/daemon-home.ts";

const shared = await sharedDaemonHome();

test("the tree tells every descendant with its parent, also one whose parent has ended", async () => {
  const daemon = shared;
  const script = "sleep 1001 & (sleep 1002 &) ; sleep 1003; echo never";
  const { id, pid } = await ask(daemon, "process.start", { command: ["sh", "-c", script], cwd: "/" });
  const commands = async (): Promise<string[]> => {
    const { processes } = await ask(daemon, "process.tree", { id });
    return processes.map(({ depth, command }) => `${depth} ${command}`).toSorted();
  };
  await expect
    .poll(commands)
    .toEqual(["0 sh -c " + script, "0 sleep 1002", "1 sleep 1001", "1 sleep 1003"].toSorted());
  // It sleeps when it has got so far as to wait for the last one.
  const first = async (): Promise<unknown> => (await ask(daemon, "process.tree", { id })).processes[0];
  await expect.poll(first).toMatchObject({ pid, parentPid: null, state: "sleeping", threads: 1 });
  const { processes } = await ask(daemon, "process.tree", { id });
  expect(Date.parse(processes[0]?.startedAt ?? "")).toBeGreaterThan(Date.now() - 120_000);
  expect(processes.filter(({ parentPid }) => parentPid === pid)).toHaveLength(2);
  expect(await ask(daemon, "process.get", { id })).toMatchObject({ processes: 4 });
});

test("command lines are told without their secrets, and only as much of them as names them", async () => {
  const daemon = shared;
  const { id } = await ask(daemon, "process.start", {
    command: [
      "sh",
      "-c",
      "sleep 1000; true",
      "--token=ghp_abcdefghijklmnopqrstuvwxyz0123456789",
      "x".repeat(5_000),
    ],
    cwd: "/",
  });
  const { processes } = await ask(daemon, "process.tree", { id });
  expect(processes[0]?.command).toContain("sh -c");
  expect(processes[0]?.command).not.toContain("ghp_abcdef");
  expect(processes[0]?.command.length).toBeLessThanOrEqual(1_100);
});

test("what an ended process has left running is told, and stopped", async () => {
  const daemon = shared;
  const id = await runToEnd(daemon, "sleep 1004 & exit 0");
  const commands = async (): Promise<string[]> =>
    (await ask(daemon, "process.tree", { id })).processes.map(({ depth, command }) => `${depth} ${command}`);
  await expect.poll(commands, { timeout: 10_000 }).toEqual(["0 sleep 1004"]);
  expect(await ask(daemon, "process.get", { id })).toMatchObject({ state: "ended", processes: 1 });
  const stop = (): Promise<unknown> => ask(daemon, "process.stop", { ids: [id], graceMs: 600_000 });
  expect(await stop()).toMatchObject({ results: [{ outcome: "ended", killed: 0, left: 0 }] });
  await expect.poll(commands, { timeout: 10_000 }).toEqual([]);
  expect(await stop()).toMatchObject({ results: [{ outcome: "already_ended" }] });
});

test("a process that has ended has no tree; one that never was is not found", async () => {
  const daemon = shared;
  const id = await runToEnd(daemon, "true");
  expect(await ask(daemon, "process.tree", { id })).toMatchObject({ id, processes: [] });
  expect(await refused(daemon, "process.tree", { id: "p_none" })).toMatchObject({
    code: "PROCESS_NOT_FOUND",
  });
});
