// A start that nobody waits for any more, or that somebody forbade, never happens.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { runsDirectory, scanRuns } from "../../src/keeper/index.ts";
import { FrameChannel } from "../../src/keeper/frame-channel.ts";
import { errorOfFrame } from "../../src/keeper/frames.ts";
import { frameType } from "../../src/keeper/numbers.ts";
import { connectUnixSocket } from "../../src/keeper/socket.ts";
import { encodeStart, setDeadline } from "../../src/keeper/start-request.ts";
import { fixturesDirectory } from "../support/compile-fixture.ts";
import { completeRequest, openKeeperHome, type KeeperHome } from "../support/keeper-home.ts";
import { findBusyProcesses } from "../support/leaks.ts";
import { freeze, launcherPidOf, thaw } from "../support/process-facts.ts";
import { testDirectory } from "../support/test-home.ts";

type Asker = ChildProcessByStdio<Writable, Readable, null>;

async function spawnAsker(keeper: KeeperHome, count: number, ledger: string): Promise<Asker> {
  const program = join(fixturesDirectory, "recovery-ask-and-hang.ts");
  const child = spawn(process.execPath, [program, keeper.home, keeper.binary, String(count), ledger], {
    stdio: ["pipe", "pipe", "inherit"],
    env: {},
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data"); // open
  return child;
}

/** The launcher has read all that was in its sockets when it has also started and ended something of ours. */
async function untilQuiet(keeper: KeeperHome): Promise<void> {
  for (let round = 0; round < 3; round++) await (await keeper.shell("exit 0")).ended;
  await expect.poll(async () => (await keeper.launcher.status()).held, { interval: 10 }).toBe(0);
}

test.for([1, 40])(
  "%i requests left in the launcher's queue by a killed program start nothing",
  async (count) => {
    const keeper = await openKeeperHome();
    const ledger = mkdtempSync(join(testDirectory(), "ledger-"));
    const asker = await spawnAsker(keeper, count, ledger);
    await freeze(keeper.launcherPid());
    asker.stdin.write("go\n");
    await once(asker.stdout, "data"); // asked
    asker.kill("SIGKILL");
    await once(asker, "exit");
    thaw(keeper.launcherPid());
    await untilQuiet(keeper);
    expect(readdirSync(ledger)).toEqual([]);
    expect(readdirSync(runsDirectory(keeper.home)).filter((name) => name.startsWith("ghost"))).toEqual([]);
    expect(findBusyProcesses(keeper.home).map((each) => each.pid)).toEqual([keeper.launcherPid()]);
  },
);

test("a request that reaches the launcher after its deadline is told so and starts nothing", async () => {
  const keeper = await openKeeperHome();
  const request = completeRequest({ argv: ["/bin/sleep", "300"] });
  const directory = keeper.directory(request.id);
  const encoded = encodeStart(request, { directory, startToken: "late" });
  setDeadline(encoded, process.hrtime.bigint() - 1n);
  const channel = new FrameChannel(await connectUnixSocket(keeper.home, "launcher.sock"), {
    peer: "launcher",
    onPush: () => undefined,
  });
  const answer = Promise.withResolvers<unknown>();
  channel.ask(encoded, {
    frame: (frame) => {
      answer.resolve(frame.type === frameType.error ? errorOfFrame(frame.payload) : frame);
      return true;
    },
    lost: answer.reject,
  });
  expect(await answer.promise).toMatchObject({ code: "START_TIMEOUT" });
  channel.close();
  expect(existsSync(directory)).toBe(false);
});

test("whoever makes the directory of a run first forbids its start", async () => {
  const keeper = await openKeeperHome();
  const ledger = mkdtempSync(join(testDirectory(), "ledger-"));
  mkdirSync(keeper.directory("forbidden"), { mode: 0o700 });
  const request = completeRequest({
    id: "forbidden",
    argv: ["/bin/sh", "-c", `: > ${ledger}/ran; sleep 300`],
  });
  await expect(keeper.launcher.start(request)).rejects.toMatchObject({ code: "RUN_CLAIMED" });
  await untilQuiet(keeper);
  expect(readdirSync(ledger)).toEqual([]);
  expect(readdirSync(keeper.directory("forbidden"))).toEqual([]);
  expect((await scanRuns(keeper.binary, runsDirectory(keeper.home))).get("forbidden")).toBe("fenced");
  await expect(keeper.launcher.recover("forbidden")).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  expect(findBusyProcesses(keeper.home).map((each) => each.pid)).toEqual([launcherPidOf(keeper.home)]);
});

test("of many starts with the same id one runs and the others are refused", async () => {
  const keeper = await openKeeperHome();
  const ledger = mkdtempSync(join(testDirectory(), "ledger-"));
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, n) =>
      keeper.launcher.start(
        completeRequest({ id: "one", argv: ["/bin/sh", "-c", `: > ${ledger}/${n}; exit ${n}`] }),
      ),
    ),
  );
  const started = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  const refused = outcomes.flatMap((outcome) =>
    outcome.status === "rejected" ? [outcome.reason as unknown] : [],
  );
  expect(started).toMatchObject([{ kind: "started", id: "one" }]);
  for (const reason of refused) expect(reason).toMatchObject({ code: "RUN_CLAIMED" });
  const [run] = started;
  const record = run?.kind === "started" ? await run.ended : undefined;
  expect(readdirSync(ledger)).toEqual([String(record?.exit.kind === "exited" ? record.exit.code : "none")]);
});
