// What is told as it happens reaches only those it may: output, events and notices; and what a name, a key or a list would give away.
import { expect, test } from "vitest";
import type { Event } from "../../src/protocol/events.ts";
import type { Client } from "../../src/sdk/index.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openViewer } from "../support/terminal-viewer.ts";
import { openTwoSessions } from "../support/two-sessions.ts";

const notYours = { code: "NOT_YOURS" };

async function firstText(client: Client, id: string): Promise<string> {
  for await (const event of client.output(id))
    if (event.kind === "data") return Buffer.from(event.bytes).toString();
  return "";
}

test("live output and input of a terminal are the owner's, unless they are shared", async () => {
  const { owner, other, person } = await openTwoSessions();
  const { id } = await owner.process.start({
    command: "echo mine; cat",
    cwd: "/",
    mode: "pty",
    stdin: "open",
  });
  await expect(firstText(other, id)).rejects.toMatchObject(notYours);
  expect(await firstText(owner, id)).toContain("mine");
  expect(await firstText(person, id)).toContain("mine");
  await owner.process.share({ id, session: "other", right: "read" });
  expect(await firstText(other, id)).toContain("mine");
  const attached = await other.attach(id);
  await expect(attached.write(Buffer.from("typed by another\\n"))).rejects.toMatchObject(notYours);
  await attached.close();
  expect((await owner.process.output({ id })).text).not.toContain("typed");
});

/** Events until one of this kind about this process. */
async function eventsUntil(
  client: Client,
  after: number,
  isLast: (event: Event) => boolean,
): Promise<Event[]> {
  const seen: Event[] = [];
  for await (const event of client.events({ after, output: true })) {
    seen.push(event);
    if (isLast(event)) break;
  }
  return seen;
}

test("a session hears of its own processes, of nobody's and of shared ones; a person of all", async () => {
  const { owner, other, person } = await openTwoSessions();
  const { id: shared } = await owner.process.start({ command: "cat", cwd: "/", stdin: "open" });
  await owner.process.share({ id: shared, session: "other" });
  const { id: secret } = await owner.process.start({ command: "echo secret", cwd: "/" });
  const { id: nobodys } = await person.process.start({ command: "true", cwd: "/" });
  const live = eventsUntil(
    other,
    0,
    (event) => event.kind === "process.ended" && event.process.name === "last",
  );
  await owner.process.wait({ ids: [secret] });
  await owner.process.remove({ ids: [secret] });
  await owner.process.write({ id: shared, parts: [{ text: "grown\\n" }] });
  await owner.process.rename({ id: shared, name: "renamed" });
  const last = await other.process.start({ command: "true", cwd: "/", name: "last" });
  const heard = (await live).flatMap((event) => ("processId" in event ? [event.processId] : []));
  expect(new Set(heard)).toEqual(new Set([shared, nobodys, last.id]));
  const all = await eventsUntil(person, 0, ({ kind }) => kind === "process.removed");
  expect(all.at(-1)).toMatchObject({ processId: secret, session: "owner" });
});

test("figures are told of what may be seen", async () => {
  const { owner, other, person } = await openTwoSessions();
  const { id: theirs } = await owner.process.start({ command: "sleep 60", cwd: "/" });
  const { id: own } = await other.process.start({ command: "sleep 60", cwd: "/" });
  const shown = async (client: Client): Promise<string[]> => {
    for await (const { whole, processes } of client.usage())
      if (whole) return processes.map(({ id }) => id).toSorted();
    return [];
  };
  expect(await shown(other)).toEqual([own]);
  expect(await shown(person)).toEqual([own, theirs].toSorted());
});

test("notices are streamed to whom they are owed", async () => {
  const { owner, other, daemon } = await openTwoSessions();
  await owner.process.start({ command: "echo secret", cwd: "/", notify: "end" });
  const { id } = await other.process.start({ command: "echo ours", cwd: "/", notify: "end" });
  for await (const notice of other.notices({ after: 0 })) {
    expect(notice.processId).toBe(id);
    break;
  }
  await expect(other.notices({ after: 0, session: "owner" }).next()).rejects.toMatchObject(notYours);
  const { home } = daemon;
  const again = await connectedClient({ home, session: "owner" });
  const texts = async (): Promise<string> =>
    (await again.notifications.list({})).notices.map(({ text }) => text).join();
  // It was started first, and may end last.
  await expect.poll(texts).toContain("secret");
  expect(await texts()).not.toContain("ours");
});

test("lists leave out what is another's; a bulk stop is about one's own", async () => {
  const { owner, other, person } = await openTwoSessions();
  const { id: theirs } = await owner.process.start({ command: "sleep 60", cwd: "/" });
  const { id: nobodys } = await person.process.start({ command: "sleep 60", cwd: "/" });
  const { id: own } = await other.process.start({ command: "sleep 60", cwd: "/" });
  const listed = async (input = {}): Promise<string[]> =>
    (await other.process.list(input)).processes.map(({ id }) => id);
  expect(new Set(await listed())).toEqual(new Set([own, nobodys]));
  expect(await listed({ session: "other" })).toEqual([own]);
  expect(await listed({ session: "owner" })).toEqual([]);
  await owner.process.share({ id: theirs });
  expect(await listed({ session: "owner" })).toEqual([theirs]);
  expect((await other.session.list()).sessions.map(({ session }) => session)).toEqual(["other"]);
  expect(await other.process.active({})).toMatchObject({ ids: [own] });
  const { results } = await other.process.stop({ all: true, graceMs: 0 });
  expect(results.map(({ id }) => id)).toEqual([own]);
  await expect(other.process.stop({ ids: [nobodys] })).rejects.toMatchObject({
    code: "NOT_YOURS",
    message: expect.stringContaining("is no session's") as string,
    hint: expect.stringContaining(`holdfast share ${nobodys} --session other --right control`) as string,
  });
  expect((await person.process.list({ states: ["running"] })).processes).toHaveLength(2);
});

test("a name or a prefix means one's own first; a name, a key or a shell of another gives nothing away", async () => {
  const { owner, other } = await openTwoSessions();
  const named = { name: "tests", cwd: "/" };
  const mine = await other.process.start({ command: "echo mine", ...named });
  await other.process.wait({ ids: [mine.id] });
  const theirs = await owner.process.start({
    command: "sleep 60",
    ...named,
    idempotencyKey: "known",
    shell: { session: "owner" },
  });
  expect((await other.process.get({ id: "tests" })).id).toBe(mine.id);
  expect((await owner.process.get({ id: "tests" })).id).toBe(theirs.id);
  await expect(other.process.get({ id: theirs.id.slice(0, 8) })).rejects.toMatchObject(notYours);
  const again = { command: "sleep 60", ...named };
  for (const more of [{}, { replace: true }, { ensure: true }, { name: "else", idempotencyKey: "known" }])
    await expect(other.process.start({ ...again, ...more })).rejects.toMatchObject(notYours);
  const inShell = { command: "env", cwd: "/", shell: { session: "owner" } };
  await expect(other.process.start(inShell)).rejects.toMatchObject(notYours);
  expect((await owner.process.get({ id: theirs.id })).state).toBe("running");
});

test("a share that is taken back ends the typing of a view that is open", async () => {
  const { owner, other } = await openTwoSessions();
  const { id } = await owner.process.start({ command: "cat", cwd: "/", mode: "pty", stdin: "open" });
  await owner.process.share({ id, session: "other", right: "control" });
  const viewer = openViewer(other, id, { keyboard: true });
  await viewer.until(({ hasKeyboard }) => hasKeyboard, "the keyboard");
  await viewer.type("yes\r");
  await owner.process.share({ id, session: "other", right: "none" });
  await expect(viewer.type("no\r")).rejects.toMatchObject(notYours);
  const shown = async (): Promise<string> => (await owner.process.output({ id })).text ?? "";
  // What is typed is taken before it is shown.
  await expect.poll(shown).toContain("yes");
  expect(await shown()).not.toContain("no");
});

test("who shared what is on record, and shares end with the session they were for", async () => {
  const { owner, other, person } = await openTwoSessions();
  const { id } = await owner.process.start({ command: "sleep 60", cwd: "/" });
  await owner.process.share({ id, session: "other", right: "control" });
  await person.process.share({ id });
  expect((await owner.process.get({ id })).shares).toMatchObject([
    { session: null, right: "read" },
    { session: "other", right: "control", by: "session owner" },
  ]);
  await person.process.share({ id, right: "none" });
  await other.cursor.set({ id, offset: 5 });
  await other.session.end({ session: "other" });
  expect(await person.cursor.get({ id, session: "other" })).toMatchObject({ offset: 0 });
  await expect(other.process.get({ id })).rejects.toMatchObject(notYours);
  const { entries } = await person.audit.list({});
  expect(
    entries.map(({ what, decision, rules, by }) => [what, decision, rules[0], by.includes("session")]),
  ).toEqual([
    ["shared", "allow", `control of ${id} to other`, true],
    ["shared", "allow", `read of ${id} to every session`, false],
    ["shared", "deny", `none of ${id} to every session`, false],
  ]);
});
