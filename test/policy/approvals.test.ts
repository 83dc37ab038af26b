// A command that needs a person's word waits for it, and never runs without.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectedClient } from "../support/connected-client.ts";
import {
  auditOf,
  openPolicyHome,
  pendingApproval,
  pendingApprovals,
  writePolicy,
} from "../support/policy-home.ts";

const rules = [{ name: "making", decision: "ask", command: "touch ..." }];
const asking = { profiles: { default: { rules } } };

test("a start waits for a person, who is told; their yes starts it", async () => {
  const { home } = await openPolicyHome(asking);
  const agent = await connectedClient({ home, session: "s1" });
  const person = await connectedClient({ home });
  const file = join(home, "..", "made-by-s1");
  const started = agent.process.start({ command: `touch ${file}`, cwd: "/" });
  const approval = await pendingApproval(person);
  expect(approval).toMatchObject({
    session: "s1",
    command: `touch ${file}`,
    cwd: "/",
    reasons: [{ rule: "making", decision: "ask" }],
  });
  const { notices } = await person.notifications.claim({ consumer: "c", kinds: ["approval.wanted"] });
  expect(notices[0]?.text).toContain(`holdfast approvals answer ${approval.id}`);
  expect(notices[0]?.text).toContain(`touch ${file}`);
  expect(existsSync(file)).toBe(false);
  expect(await person.approval.answer({ approval: approval.id, answer: "once" })).toMatchObject({
    state: "approved",
    waiting: 1,
  });
  const { id } = await started;
  await agent.process.wait({ ids: [id] });
  expect(existsSync(file)).toBe(true);
  // It is not told again, and not good for a second time.
  expect((await person.notifications.list({ states: ["pending"] })).notices).toEqual([]);
  // Whoever looks on hears the answer; nobody is owed it.
  const heard = await person.notifications.list({ kinds: ["approval.answered"] });
  expect(heard.notices).toMatchObject([{ state: "recorded", data: { answer: "once", missed: false } }]);
  expect(heard.notices[0]?.text).toContain("the command runs");
  const again = agent.process.start({ command: `touch ${file}`, cwd: "/", approvalWaitMs: 0 });
  await expect(again).rejects.toMatchObject({ code: "APPROVAL_PENDING" });
  expect(await auditOf(person)).toEqual([
    "asked ask making policy s1",
    "answered allow making person s1",
    "decided allow making person s1",
    "asked ask making policy s1",
  ]);
});

test("identical requests of a session share one answer; another session's is its own", async () => {
  const { home } = await openPolicyHome(asking);
  const person = await connectedClient({ home });
  const agents = [
    await connectedClient({ home, session: "s1" }),
    await connectedClient({ home, session: "s1" }),
    await connectedClient({ home, session: "s2" }),
  ];
  const starts = agents.map((agent) => agent.process.start({ command: "touch /dev/null", cwd: "/" }));
  const settled = Promise.allSettled(starts);
  const approvals = await pendingApprovals(person, 3);
  expect(new Set(approvals.map(({ session, waiting }) => `${session} ${waiting}`))).toEqual(
    new Set(["s1 2", "s2 1"]),
  );
  for (const { id, session } of approvals)
    await person.approval.answer({
      approval: id,
      answer: session === "s1" ? "once" : "deny",
      note: "not you",
    });
  const [first, second, third] = await settled;
  expect([first?.status, second?.status]).toEqual(["fulfilled", "fulfilled"]);
  expect(third).toMatchObject({ status: "rejected", reason: { code: "APPROVAL_REFUSED" } });
  expect(String((third as PromiseRejectedResult).reason)).toContain("not you");
});

test("no answer in time is a no, and an answer after that is refused", async () => {
  const { home } = await openPolicyHome({ ...asking, approvalMs: 1_000 });
  const agent = await connectedClient({ home, session: "s1" });
  const person = await connectedClient({ home });
  const start = agent.process.start({ command: "touch x", cwd: "/" }).catch((error: unknown) => error);
  expect(await start).toMatchObject({ code: "APPROVAL_EXPIRED" });
  // Not while it was open: nobody may be quick enough for that.
  const [approval] = (await person.approval.list({})).approvals;
  expect(approval).toMatchObject({ session: "s1", command: "touch x", state: "expired" });
  await expect(
    person.approval.answer({ approval: approval?.id ?? "", answer: "once" }),
  ).rejects.toMatchObject({
    code: "APPROVAL_OVER",
  });
  await expect(person.approval.answer({ approval: "a_22222222222b", answer: "once" })).rejects.toMatchObject({
    code: "APPROVAL_NOT_FOUND",
  });
  expect(await auditOf(person)).toEqual(["asked ask making policy s1", "expired deny making time s1"]);
  expect((await person.process.list({})).processes).toEqual([]);
});

test("session: the rule no longer asks there; always: nowhere; and a rule that was changed asks again", async () => {
  const { home } = await openPolicyHome(asking);
  const person = await connectedClient({ home });
  const agent = await connectedClient({ home, session: "s1" });
  const other = await connectedClient({ home, session: "s2" });
  const first = agent.process.start({ command: "touch /dev/null", cwd: "/" });
  await person.approval.answer({ approval: (await pendingApproval(person)).id, answer: "session" });
  await first;
  await agent.process.start({ command: "touch /dev/zero", cwd: "/" });
  const second = other.process.start({ command: "touch /dev/null", cwd: "/" });
  await person.approval.answer({ approval: (await pendingApproval(person)).id, answer: "always" });
  await second;
  const third = await connectedClient({ home, session: "s3" });
  await third.process.start({ command: "touch /dev/null", cwd: "/" });
  const { grants } = await person.policy.list({});
  expect(grants.map(({ session, rule }) => [session, rule])).toEqual([
    ["s1", "making"],
    [null, "making"],
  ]);
  writePolicy(home, { profiles: { default: { rules: [{ ...rules[0], command: "touch ... *" }] } } });
  const check = async (): Promise<string> =>
    (await third.policy.check({ command: "touch /dev/null" })).decision;
  await expect.poll(check).toBe("ask");
  writePolicy(home, asking);
  await expect.poll(check).toBe("allow");
  expect(await person.policy.restore({ grant: grants[1]?.id ?? "" })).toEqual({ ended: 1 });
  expect(await check()).toBe("ask");
});

test("after three refusals the answer says to stop", async () => {
  const { home } = await openPolicyHome(asking);
  const person = await connectedClient({ home });
  const agent = await connectedClient({ home, session: "s1" });
  const hints: string[] = [];
  for (const name of ["a", "b", "c"]) {
    const start = agent.process
      .start({ command: `touch ${name}`, cwd: "/" })
      .catch((error: unknown) => error);
    await person.approval.answer({ approval: (await pendingApproval(person)).id, answer: "deny" });
    hints.push((await start) instanceof Error ? ((await start) as { hint: string }).hint : "");
  }
  expect(hints.map((hint) => hint.includes("stop asking"))).toEqual([false, false, true]);
});
