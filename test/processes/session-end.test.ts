// The end of a session: explicit, or because nobody was there; never because a connection was dropped.
import { expect, test } from "vitest";
import { ask, refused } from "../support/daemon-calls.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openShellHome } from "../support/shell-session.ts";

const bash = "/bin/bash";

test("session.end stops what ends with it, forgets its shell, and leaves notices and everything else", async () => {
  const { daemon, run, start } = await openShellHome();
  const plain = { shell: undefined, owner: { session: "s" }, notify: "end" } as const;
  const ending = await start(bash, "s", "sleep 1000", { ...plain, lifetime: "session" });
  const staying = await start(bash, "s", "sleep 1000", { ...plain, lifetime: "detached" });
  const others = await start(bash, "s", "sleep 1000", {
    ...plain,
    owner: { session: "t" },
    lifetime: "session",
  });
  await run(bash, "s", "cd /usr; export A=1");
  const { sessions } = await ask(daemon, "session.list", {});
  expect(sessions.map(({ session }) => session).toSorted()).toEqual(["s", "t"]);
  const before = await ask(daemon, "session.get", { session: "s" });
  expect(before).toMatchObject({
    running: 2,
    endWithIt: 1,
    shell: { cwd: "/usr", set: expect.arrayContaining(["A"]) as string[] },
  });
  const late = await start(bash, "s", "trap 'export A=late; exit' TERM; while :; do sleep 0.01; done", {
    lifetime: "detached",
  });

  const answer = await ask(daemon, "session.end", { session: "s", graceMs: 0 });
  expect(answer).toMatchObject({ shellForgotten: true, results: [{ id: ending.id, outcome: "killed" }] });
  const ended = await ask(daemon, "process.get", { id: ending.id });
  expect(ended).toMatchObject({ state: "ended", stopReason: "lifetime", stopBy: { verb: "session.end" } });
  for (const { id } of [staying, others])
    expect((await ask(daemon, "process.get", { id })).state).toBe("running");
  // Everything that still runs for it is seen; what it leaves is not remembered any more.
  await ask(daemon, "process.stop", { ids: [late.id, staying.id] });
  expect((await refused(daemon, "session.get", { session: "s" })).code).toBe("SESSION_NOT_FOUND");
  expect((await refused(daemon, "session.end", { session: "s" })).code).toBe("SESSION_NOT_FOUND");
  const { notices } = await ask(daemon, "notifications.list", { session: "s" });
  expect(notices.map(({ processId }) => processId)).toContain(ending.id);
  const anew = await run(bash, "s", 'pwd; echo "${A-unset}"');
  expect(anew.output).toMatch(/\/hf-.*\nunset\n/);
  expect(anew.notes.join("\n")).not.toContain("lost");
});

test("nobody there for sessions.endAfterMs: it ends by itself; busy or connected it does not, and a daemon's death is no end", async () => {
  const { daemon, start } = await openShellHome({ environment: { HOLDFAST_SESSIONS_END_AFTER_MS: "1500" } });
  const begin = async (session: string): Promise<string> =>
    (await start(bash, session, "sleep 1000", { shell: undefined, owner: { session }, lifetime: "session" }))
      .id;
  // A slow machine must not end the others before they have all begun, nor before two of them are connected again.
  const hold = async (session: string): Promise<unknown> =>
    await ask(daemon, "session.busy", { session, by: "me", leaseMs: 60_000 });
  for (const session of ["busy", "connected", "following"]) await hold(session);
  const [idle, busy, connected] = [await begin("idle"), await begin("busy"), await begin("connected")];
  await begin("following");
  await daemon.kill();
  await daemon.start();
  const client = await connectedClient({ home: daemon.home, session: "connected" });
  // As an MCP server of which nothing is asked has it.
  const following = await connectedClient({ home: daemon.home, session: "following" });
  void following
    .events({ output: true })
    .next()
    .catch(() => undefined); // the test is over
  const wait = new AbortController();
  const waited = client.process.wait({ ids: [connected] }, { signal: wait.signal }).catch(() => "gone");
  for (const session of ["connected", "following"]) {
    const end = async (): Promise<string | null> => (await ask(daemon, "session.get", { session })).endsAt;
    await expect.poll(end).toBeNull();
    await ask(daemon, "session.idle", { session, by: "me" });
  }
  await ask(daemon, "process.wait", { ids: [idle], timeoutMs: 30_000 });
  expect(await ask(daemon, "process.get", { id: idle })).toMatchObject({
    stopReason: "lifetime",
    stopBy: { verb: "sessions.endAfterMs", session: "idle" },
  });
  for (const session of ["connected", "following"])
    expect((await ask(daemon, "session.get", { session })).endsAt, session).toBeNull();
  await hold("connected");
  wait.abort();
  expect(await waited).toBe("gone");
  expect((await ask(daemon, "process.get", { id: connected })).state).toBe("running");
  await ask(daemon, "session.idle", { session: "connected", by: "me" });
  await ask(daemon, "process.wait", { ids: [connected], timeoutMs: 30_000 });
  expect(await ask(daemon, "process.get", { id: connected })).toMatchObject({
    stopBy: { verb: "sessions.endAfterMs", session: "connected" },
  });
  expect((await ask(daemon, "process.get", { id: busy })).state).toBe("running");
}, 60_000);
