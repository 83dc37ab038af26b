// What only a person may do: answer, lift, change the rules. Not a session, and nothing inside a kept process.
import { expect, test } from "vitest";
import type { Client } from "../../src/sdk/index.ts";
import { cliProgram } from "../support/programs.ts";
import { connectedClient } from "../support/connected-client.ts";
import { auditOf, openPolicyHome, pendingApproval } from "../support/policy-home.ts";

const rules = [
  { name: "making", decision: "ask", command: "touch ..." },
  { name: "never", decision: "deny", command: "mkfs ..." },
];
const asking = { profiles: { default: { rules } } };
const refusal = { code: "PERSON_REQUIRED" };

test("a session can neither answer, nor lift, nor change the policy", async () => {
  const { home } = await openPolicyHome(asking);
  const agent = await connectedClient({ home, session: "s1" });
  const person = await connectedClient({ home });
  const start = agent.process.start({ command: "touch /dev/null", cwd: "/" });
  const { id } = await pendingApproval(person);
  await expect(agent.approval.answer({ approval: id, answer: "once" })).rejects.toMatchObject(refusal);
  await expect(agent.policy.lift({ session: "s1" })).rejects.toMatchObject(refusal);
  await expect(agent.config.set({ key: "policy.profiles", value: {} })).rejects.toMatchObject(refusal);
  await agent.config.set({ key: "stop.graceMs", value: 100 });
  expect((await person.approval.list({ states: ["pending"] })).approvals).toHaveLength(1);
  await person.approval.answer({ approval: id, answer: "once" });
  await start;
});

/** The command line inside a kept process, without the variables that would give it away. */
async function runInside(
  client: Client,
  home: string,
  args: readonly string[],
  how: string,
): Promise<string> {
  const inner = ["env", "-u", "HOLDFAST_SESSION", "-u", "HOLDFAST_RUN", `HOLDFAST_HOME=${home}`];
  const line = [...inner, process.execPath, cliProgram, ...args].join(" ");
  const { id } = await client.process.start({
    command: ["sh", "-c", how === "direct" ? line : `setsid sh -c '(${line}) &'; sleep 1000`],
    cwd: "/",
    mode: "merged",
  });
  const shown = { kind: "match", regex: "PERSON_REQUIRED|g_[a-z0-9]{12}" } as const;
  await client.process.wait({ ids: [id], for: shown, timeoutMs: 20_000 });
  const { text } = await client.process.output({ id });
  await client.process.stop({ ids: [id], graceMs: 0 });
  return text ?? "";
}

test.for(["direct", "double-forked"])("nor can a %s program inside a kept process", async (how) => {
  const { home } = await openPolicyHome({ profiles: { default: { rules: [rules[1]] } } });
  const person = await connectedClient({ home });
  expect(await runInside(person, home, ["policy", "lift", "s1"], how)).toContain("PERSON_REQUIRED");
  expect((await person.policy.list({})).grants).toEqual([]);
});

test("a lift counts from the next command on, for one session, and never for what is denied", async () => {
  const { home } = await openPolicyHome(asking);
  const agent = await connectedClient({ home, session: "s1" });
  const other = await connectedClient({ home, session: "s2" });
  const person = await connectedClient({ home });
  const command = { command: "touch /dev/null", cwd: "/", approvalWaitMs: 0 };
  await expect(agent.process.start(command)).rejects.toMatchObject({ code: "APPROVAL_PENDING" });
  const grant = await person.policy.lift({ session: "s1" });
  expect(grant).toMatchObject({ session: "s1", rule: null, expiresAt: null });
  await agent.process.start(command);
  await expect(agent.process.start({ command: "mkfs x", cwd: "/" })).rejects.toMatchObject({
    code: "POLICY_DENIED",
  });
  await expect(other.process.start(command)).rejects.toMatchObject({ code: "APPROVAL_PENDING" });
  // To name the other session gets nothing at all.
  const named = { ...command, command: "touch /dev/zero", owner: { session: "s1" } };
  await expect(other.process.start(named)).rejects.toMatchObject({ code: "NOT_YOURS" });
  expect(await person.policy.check({ command: "touch x", session: "s1" })).toMatchObject({
    decision: "allow",
    lifted: grant.id,
  });
  expect(await agent.policy.restore({ session: "s1" })).toEqual({ ended: 1 });
  await expect(agent.process.start({ ...command, command: "touch y" })).rejects.toMatchObject({
    code: "APPROVAL_PENDING",
  });
  const seen = await auditOf(person);
  expect(seen).toContain("granted allow - person s1");
  expect(seen).toContain("decided allow making grant s1");
  expect(seen.some((entry) => entry.startsWith("restored ask"))).toBe(true);
});

test("a lift for a while ends by itself", async () => {
  const { home } = await openPolicyHome(asking);
  const person = await connectedClient({ home });
  const decision = async (): Promise<string> =>
    (await person.policy.check({ command: "touch x", session: "s1" })).decision;
  const lift = async (): Promise<string> => {
    await person.policy.lift({ session: "s1", forMs: 1_000 });
    return await decision();
  };
  // Again, should a pause of the machine have outlasted it.
  await expect.poll(lift).toBe("allow");
  await expect.poll(decision).toBe("ask");
});
