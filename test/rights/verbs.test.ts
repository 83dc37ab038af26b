// What a session may do with what is another's, verb by verb: the table names every one, so a new verb must say what it is.
import { expect, test } from "vitest";
import { rules } from "../../src/operations/rights/rules.ts";
import { isHoldfastError } from "../../src/protocol/errors.ts";
import { operationNames, type OperationInput, type OperationName } from "../../src/protocol/operations.ts";
import type { Client } from "../../src/sdk/index.ts";
import { belongingsOf, openTwoSessions, share, type Belongings } from "../support/two-sessions.ts";

/** read, control: a share of that size suffices. never: none does. */
type Needs = "read" | "control" | "never";
type Reach<Name extends OperationName> = readonly [Needs, (of: Belongings) => OperationInput<Name>];

const size = { columns: 80, rows: 24 };
const theirs = { session: "owner" };

/** How session `other` reaches for what is session `owner`'s; or how the rule of the verb is called. */
const reaches: { readonly [Name in OperationName]: Reach<Name> | "open" | "listed" | "person" } = {
  "process.start": ["never", () => ({ command: "true", owner: theirs })],
  "process.list": "listed",
  "process.get": ["read", ({ id }) => ({ id })],
  "process.tree": ["read", ({ id }) => ({ id })],
  "process.screen": ["read", ({ id }) => ({ id })],
  "process.output": ["read", ({ job }) => ({ id: job })],
  "process.search": ["read", ({ job }) => ({ id: job, regex: "secret" })],
  "process.wait": ["read", ({ job, id }) => ({ ids: [id, job], mode: "any" })],
  "process.write": ["control", ({ id }) => ({ id, parts: [{ text: "x" }] })],
  "process.close-stdin": ["control", ({ id }) => ({ id })],
  "process.resize": ["control", ({ id }) => ({ id, ...size })],
  "process.signal": ["control", ({ id }) => ({ id, signal: "CONT" })],
  "process.stop": ["control", ({ id }) => ({ ids: [id], graceMs: 0 })],
  "process.remove": ["control", ({ job }) => ({ ids: [job] })],
  "process.rename": ["control", ({ job }) => ({ id: job, name: "taken" })],
  "process.share": ["never", ({ id }) => ({ id, session: "other", right: "control" })],
  "process.active": ["never", () => theirs],
  "cursor.get": ["read", ({ id }) => ({ id })],
  "cursor.set": ["read", ({ id }) => ({ id, offset: 1 })],
  "terminal.open": ["never", ({ terminal }) => ({ key: terminal, cwd: "/" })],
  "terminal.list": "listed",
  "view.list": "listed",
  "view.close": ["control", ({ id }) => ({ id })],
  "session.interrupt": ["never", () => theirs],
  "daemon.status": "open",
  "daemon.stop": "open",
  "daemon.idle": "open",
  "config.get": "open",
  "config.set": "open",
  "config.list": "open",
  "config.explain": "open",
  "config.check": "open",
  "watch.add": ["control", ({ id }) => ({ id, watch: { kind: "text", text: "x" } })],
  "watch.list": ["read", ({ id }) => ({ id })],
  "watch.remove": ["control", ({ watch }) => ({ watch })],
  "watch.hits": ["read", ({ watch }) => ({ watch })],
  "notifications.list": ["never", () => theirs],
  "notifications.get": ["never", ({ notice }) => ({ notice })],
  "notifications.claim": ["never", () => ({ ...theirs, consumer: "c" })],
  "notifications.acknowledge": ["never", ({ notice }) => ({ notices: [notice] })],
  "notifications.release": ["never", ({ notice }) => ({ notices: [notice], consumer: "c" })],
  "lock.acquire": "open",
  "lock.release": "open",
  "lock.list": "open",
  "notifications.replay": ["never", ({ notice }) => ({ notice })],
  "notifications.dead": "listed",
  "job.run": ["never", () => ({ command: "true", shell: theirs })],
  "job.list": "listed",
  "job.get": ["read", ({ job }) => ({ id: job })],
  "job.result": ["read", ({ job }) => ({ id: job })],
  "barrier.set": ["read", ({ id }) => ({ session: "other", for: { process: id } })],
  "barrier.get": ["never", () => theirs],
  "barrier.clear": ["never", () => theirs],
  "session.list": "listed",
  "session.get": ["never", () => theirs],
  "session.end": ["never", () => theirs],
  "session.busy": ["never", () => ({ ...theirs, by: "me" })],
  "session.idle": ["never", () => theirs],
  "session.attend": ["never", () => theirs],
  "delegation.start": ["never", () => ({ goal: "x", owner: theirs })],
  "delegation.progress": "open",
  "delegation.finish": "open",
  "delegation.cancel": ["never", ({ delegation }) => ({ delegation })],
  "delegation.list": ["never", () => theirs],
  "policy.check": "listed",
  "policy.list": "open",
  "policy.lift": "person",
  "dashboard.open": "person",
  "token.create": "person",
  "token.list": "open",
  "token.revoke": "open",
  "policy.restore": "open",
  "approval.list": "listed",
  "approval.answer": "person",
  "audit.list": "listed",
  gc: "open",
  doctor: "open",
};

const guarded = operationNames.flatMap((name) => {
  const reach = reaches[name] as Reach<OperationName> | string;
  return typeof reach === "string" ? [] : [{ name, needs: reach[0], inputOf: reach[1] }];
});

/** Undefined when it was done; the code of what was refused. */
async function codeOf(client: Client, name: OperationName, input: object): Promise<string | undefined> {
  try {
    await client.call(name, input);
    return undefined;
  } catch (error) {
    if (isHoldfastError(error)) return error.code;
    throw error;
  }
}

test("every verb is in the table as its rule says", () => {
  for (const name of operationNames) {
    const rule = rules[name];
    expect([name, typeof reaches[name] === "string" ? reaches[name] : "checked"]).toEqual([
      name,
      typeof rule === "string" ? rule : "checked",
    ]);
  }
  expect(guarded.length).toBeGreaterThan(35);
});

test("nothing of another session is reached, by no verb, and nothing of it changes", async () => {
  const { owner, other } = await openTwoSessions();
  const of = await belongingsOf(owner);
  const before = await owner.process.get({ id: of.id });
  for (const { name, inputOf } of guarded)
    expect([name, await codeOf(other, name, inputOf(of))]).toEqual([name, "NOT_YOURS"]);
  const after = await owner.process.get({ id: of.id });
  expect({ ...after, uptimeMs: 0, cpuMs: 0, memoryBytes: 0 }).toEqual({
    ...before,
    uptimeMs: 0,
    cpuMs: 0,
    memoryBytes: 0,
  });
  expect((await owner.notifications.get({ notice: of.notice })).state).toBe("pending");
  expect((await owner.watch.list({ id: of.id })).watches).toHaveLength(1);
});

/** After these something of what belongs to the owner is gone. */
const uses: ReadonlySet<OperationName> = new Set([
  "process.stop",
  "process.remove",
  "process.close-stdin",
  "watch.remove",
  "session.end",
  "delegation.cancel",
  "notifications.acknowledge",
]);

test.each(["read", "control"] as const)("shared to %s: that, and no more", async (right) => {
  const { owner, other, person } = await openTwoSessions();
  let of = await belongingsOf(owner);
  await share(person, of, right);
  for (const { name, needs, inputOf } of guarded) {
    const code = await codeOf(other, name, inputOf(of));
    const isEnough = needs === "read" || needs === right;
    expect([name, code === "NOT_YOURS"]).toEqual([name, !isEnough]);
    if (!isEnough || !uses.has(name)) continue;
    of = await belongingsOf(owner);
    await share(person, of, right);
  }
  await share(person, of, "none");
  expect(await codeOf(other, "process.get", { id: of.id })).toBe("NOT_YOURS");
});

/** What else a verb says that was allowed. */
const answers: Partial<Record<OperationName, string>> = { "view.close": "NO_VIEWER" };

test("what a caller without a session asks for is done", async () => {
  const { owner, person } = await openTwoSessions();
  let of = await belongingsOf(owner);
  for (const { name, inputOf } of guarded) {
    const input = name.startsWith("cursor.") ? { ...inputOf(of), ...theirs } : inputOf(of);
    expect([name, (await codeOf(person, name, input)) ?? "done"]).toEqual([name, answers[name] ?? "done"]);
    if (uses.has(name)) of = await belongingsOf(owner);
  }
});
