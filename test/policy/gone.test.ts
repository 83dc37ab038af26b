// A caller that goes, or a daemon that is killed, while a person is asked: nothing starts later by itself.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectedClient } from "../support/connected-client.ts";
import { auditOf, openPolicyHome, pendingApproval } from "../support/policy-home.ts";

const rules = [{ name: "making", decision: "ask", command: "touch ..." }];
const asking = { profiles: { default: { rules } } };

test("a caller that went away starts nothing later; the answer waits for the same command, once", async () => {
  const { home } = await openPolicyHome(asking);
  const person = await connectedClient({ home });
  const file = join(home, "..", "made-once");
  const command = `touch ${file}`;
  const leaving = new AbortController();
  const agent = await connectedClient({ home, session: "s1" });
  const left = agent.process.start({ command, cwd: "/" }, { signal: leaving.signal });
  const { id } = await pendingApproval(person);
  leaving.abort();
  await expect(left).rejects.toBeInstanceOf(Error);
  await expect.poll(async () => (await person.approval.list({})).approvals[0]?.waiting).toBe(0);
  expect(await person.approval.answer({ approval: id, answer: "once" })).toMatchObject({ waiting: 0 });
  const { notices } = await agent.notifications.claim({
    consumer: "c",
    session: "s1",
    kinds: ["approval.answered"],
  });
  expect(notices[0]?.text).toContain("ask for the same command again");
  expect((await person.process.list({})).processes).toEqual([]);
  const second = await connectedClient({ home, session: "s1" });
  // Not for another directory, and not for another session.
  for (const [client, cwd] of [
    [second, "/tmp"],
    [await connectedClient({ home, session: "s2" }), "/"],
  ] as const) {
    const other = client.process.start({ command, cwd, approvalWaitMs: 0 });
    await expect(other).rejects.toMatchObject({ code: "APPROVAL_PENDING" });
  }
  const started = await second.process.start({ command, cwd: "/" });
  await second.process.wait({ ids: [started.id] });
  expect(existsSync(file)).toBe(true);
  const third = second.process.start({ command, cwd: "/", approvalWaitMs: 0 });
  await expect(third).rejects.toMatchObject({ code: "APPROVAL_PENDING" });
});

test("kill -9: what was asked stays open, starts nothing, and the same request joins it", async () => {
  const daemon = await openPolicyHome(asking);
  const agent = await connectedClient({ home: daemon.home, session: "s1" });
  const person = await connectedClient({ home: daemon.home });
  const file = join(daemon.home, "..", "made-after-kill");
  const lost = agent.process.start({ command: `touch ${file}`, cwd: "/" }).catch((error: unknown) => error);
  const asked = await pendingApproval(person);
  await daemon.kill();
  await expect(lost).resolves.toMatchObject({ code: "DAEMON_GONE" });
  await daemon.start();
  const { approvals } = await person.approval.list({ states: ["pending"] });
  expect(approvals).toMatchObject([{ id: asked.id, waiting: 0 }]);
  const again = agent.process.start({ command: `touch ${file}`, cwd: "/" });
  expect(await pendingApproval(person)).toMatchObject({ id: asked.id });
  expect(existsSync(file)).toBe(false);
  await person.approval.answer({ approval: asked.id, answer: "once" });
  await agent.process.wait({ ids: [(await again).id] });
  expect(existsSync(file)).toBe(true);
  expect((await person.process.list({})).processes).toHaveLength(1);
});

test("kill -9: what nobody answers ends by its time, with no one waiting and nothing started", async () => {
  const daemon = await openPolicyHome({ ...asking, approvalMs: 10_000 });
  const agent = await connectedClient({ home: daemon.home, session: "s1" });
  const person = await connectedClient({ home: daemon.home });
  const lost = agent.process.start({ command: "touch lost", cwd: "/" }).catch((error: unknown) => error);
  await pendingApproval(person);
  await daemon.kill();
  await expect(lost).resolves.toBeInstanceOf(Error);
  await daemon.start();
  const state = async (): Promise<string | undefined> => (await person.approval.list({})).approvals[0]?.state;
  await expect.poll(state, { timeout: 40_000 }).toBe("expired");
  expect((await person.process.list({})).processes).toEqual([]);
  expect(await auditOf(person)).toEqual(["asked ask making policy s1", "expired deny making time s1"]);
});

test("a daemon that is told to go does not wait for a person; the start goes on waiting with the next one", async () => {
  const daemon = await openPolicyHome(asking);
  const agent = await connectedClient({ home: daemon.home, session: "s1" });
  const person = await connectedClient({ home: daemon.home });
  const start = agent.process.start({ command: "touch /dev/null", cwd: "/" });
  const asked = await pendingApproval(person);
  // Nobody answers meanwhile: that it goes at all is what is looked for.
  expect(await daemon.terminate()).toBe(143);
  await daemon.start();
  expect(await pendingApproval(person)).toMatchObject({ id: asked.id });
  expect((await person.process.list({})).processes).toEqual([]);
  await person.approval.answer({ approval: asked.id, answer: "once" });
  expect((await start).created).toBe(true);
});
