// The daemon decides before anything starts, whoever asks and by whatever verb.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectedClient } from "../support/connected-client.ts";
import { ask, refused } from "../support/daemon-calls.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { auditOf, openPolicyHome, writePolicy } from "../support/policy-home.ts";

const rules = [
  { name: "no-touch", decision: "deny", command: "touch ...", reason: "files are made with care" },
  { name: "no-wipe", decision: "deny", command: "rm -rf ..." },
];

test("what is denied does not start, and the answer names the rule and what to do", async () => {
  const daemon = await openPolicyHome({ profiles: { default: { rules } } });
  const file = join(daemon.home, "made");
  for (const command of [`touch ${file}`, `sh -c "env A=b touch ${file}"`, ["touch", file]]) {
    for (const verb of ["process.start", "job.run"]) {
      const error = await refused(daemon, verb, { command, cwd: "/" });
      expect(error).toMatchObject({
        status: 403,
        code: "POLICY_DENIED",
        details: { reasons: [{ rule: "no-touch", text: "files are made with care" }] },
      });
      expect(error.message).toContain("no-touch: files are made with care");
    }
  }
  // A profile that nobody has configured is no way round, nor is a name, a key or an environment.
  const more = { owner: { profile: "other" }, name: "n", idempotencyKey: "k", ensure: true };
  expect(await refused(daemon, "process.start", { command: `touch ${file}`, ...more })).toMatchObject({
    code: "POLICY_DENIED",
  });
  expect((await ask(daemon, "process.list", {})).processes).toEqual([]);
  expect(existsSync(file)).toBe(false);
  expect((await ask(daemon, "process.start", { command: "true", cwd: "/" })).created).toBe(true);
});

test("a denied start that would replace a process leaves that one alone", async () => {
  const daemon = await openPolicyHome({ profiles: { default: { rules } } });
  const first = await ask(daemon, "process.start", { command: "exec sleep 100", cwd: "/", name: "server" });
  await refused(daemon, "process.start", { command: "rm -rf x", cwd: "/", name: "server", replace: true });
  expect((await ask(daemon, "process.get", { id: first.id })).state).toBe("running");
});

test("policy check tells what would be decided and why, and starts and records nothing", async () => {
  const { home } = await openPolicyHome({ profiles: { default: { rules } } });
  const client = await connectedClient({ home });
  const checked = await client.policy.check({ command: "echo a && sudo rm -fr /x", cwd: "/" });
  expect(checked).toMatchObject({
    decision: "deny",
    configured: true,
    lifted: null,
    commands: [
      ["echo", "a"],
      ["sudo", "rm", "-fr", "/x"],
      ["rm", "-fr", "/x"],
    ],
    reasons: [
      { kind: "rule", decision: "deny", rule: "no-wipe", command: "rm -fr /x" },
      { kind: "sudo", decision: "ask", rule: "sudo" },
    ],
  });
  expect((await client.process.list({})).processes).toEqual([]);
  expect(await auditOf(client)).toEqual([]);
});

test("everything decided is on record, without secrets", async () => {
  const { home } = await openPolicyHome({ profiles: { default: { rules } } });
  const client = await connectedClient({ home, session: "s1" });
  const secret = `ghp_${"a1B2".repeat(9)}`;
  await client.process.start({ command: `echo ${secret}`, cwd: "/" });
  await expect(client.process.start({ command: `touch x # ${secret}`, cwd: "/" })).rejects.toMatchObject({
    code: "POLICY_DENIED",
  });
  expect(await auditOf(client)).toEqual(["decided allow - policy s1", "decided deny no-touch policy s1"]);
  const { entries, cursor } = await client.audit.list({});
  expect(JSON.stringify(entries)).not.toContain(secret);
  expect(entries[1]).toMatchObject({ cwd: "/", profile: "default", approval: null });
  expect((await client.audit.list({ after: cursor })).entries).toEqual([]);
  expect((await client.audit.list({ decision: "deny" })).entries).toHaveLength(1);
  const other = await connectedClient({ home, session: "s2" });
  expect((await other.audit.list({ session: "s1" })).entries).toEqual([]);
});

test("without a policy everything is allowed and nothing is recorded; with one, from the next command on", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  await client.process.start({ command: "eval true", cwd: "/" });
  expect(await client.policy.check({ command: "rm -rf /" })).toMatchObject({
    decision: "allow",
    configured: false,
  });
  expect(await auditOf(client)).toEqual([]);
  writePolicy(daemon.home, { profiles: { default: { default: "deny" } } });
  await expect.poll(async () => (await client.policy.check({ command: "ls" })).decision).toBe("deny");
  await expect(client.process.start({ command: "ls", cwd: "/" })).rejects.toMatchObject({
    code: "POLICY_DENIED",
  });
});

test("a path is relative to where the command runs, also where a session's shell remembers it", async () => {
  const { home } = await openPolicyHome({
    profiles: { default: { protect: [{ path: "/usr/share", decision: "deny" }] } },
  });
  const client = await connectedClient({ home, session: "s1" });
  const shell = { session: "s1" };
  const { id } = await client.process.start({ command: "cd /usr", shell });
  await client.process.wait({ ids: [id] });
  for (const command of ["touch share/x", "sh -c 'touch share/x'"])
    await expect(client.process.start({ command, shell })).rejects.toMatchObject({
      code: "POLICY_DENIED",
      details: { reasons: [{ rule: "protect /usr/share" }] },
    });
  await expect(client.process.start({ command: "touch share/x", cwd: "/usr" })).rejects.toMatchObject({
    code: "POLICY_DENIED",
  });
  expect((await client.process.start({ command: "ls share", shell })).created).toBe(true);
});
