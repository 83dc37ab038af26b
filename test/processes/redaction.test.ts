// Secrets in command lines and output: on disk as written, out of lists, notices, events and what a session reads.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LiveOutput } from "../../src/protocol/live-output.ts";
import { connectedClient, wholeText } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";

// Put together here, so that no scanner takes this file for a leak.
const secret = ["ghp", "0123456789abcdefghijklmnopqrstuvwxyz".slice(0, 36)].join("_");

test("a token never reaches a list, a notice, an event or a session's page, wherever the page is cut", async () => {
  const { home } = await openDaemonHome();
  const agent = await connectedClient({ home, session: "s1" });
  const person = await connectedClient({ home });
  const events: string[] = [];
  const stop = new AbortController();
  const listening = (async () => {
    for await (const event of agent.events({ after: 0, signal: stop.signal }))
      events.push(JSON.stringify(event));
  })().catch(() => undefined); // ended by the signal
  const command = ["sh", "-c", 'printf "before %s after\\n" "$1"; exit 3', "x", secret];
  const { id } = await agent.process.start({ command, cwd: "/", notify: "end" });
  await person.process.wait({ ids: [id] });
  await expect.poll(() => events.some((event) => event.includes("process.ended"))).toBe(true);
  stop.abort();
  await listening;
  const told = [
    JSON.stringify(await person.process.list({ details: true })),
    JSON.stringify(await person.notifications.list({})),
    JSON.stringify(await agent.process.get({ id })),
    ...events,
  ];
  for (const text of told) {
    expect(text).toContain(id);
    expect(text).not.toContain(secret.slice(4, 16));
    expect(text).toContain("[redacted:");
  }
  const end = (await person.process.output({ id })).end;
  for (let from = 0; from < end; from++) {
    for (const limitBytes of [3, 10, 1_000]) {
      const { text = "" } = await agent.process.output({ id, from, limitBytes });
      for (let at = 0; at + 8 <= secret.length; at++) expect(text).not.toContain(secret.slice(at, at + 8));
    }
  }
  expect((await person.process.output({ id })).text).toBe(`before ${secret} after\n`);
  expect((await person.process.output({ id, redact: true })).text).toMatch(
    /^before \[redacted:[a-z-]+\] after\n$/,
  );
  const run = join(home, "runs", id);
  const log = readdirSync(run).find((name) => name.endsWith(".log")) ?? "";
  expect(readFileSync(join(run, log), "utf8")).toContain(secret);
});

/** The text of a stream, as it comes: each call goes on where the last one stopped. */
function reader(events: AsyncGenerator<LiveOutput, void, undefined>): (bytes: number) => Promise<string> {
  let told = Buffer.alloc(0);
  return async (bytes) => {
    while (told.length < bytes) {
      const { value, done } = await events.next();
      if (done === true) break;
      if (value.kind !== "data") continue;
      expect(value.offset).toBe(told.length);
      told = Buffer.concat([told, value.bytes]);
    }
    return told.toString();
  };
}

test("streams and raw bytes of a session have stars for a secret, each byte in its place; a person's are as written", async () => {
  const { home } = await openDaemonHome();
  const agent = await connectedClient({ home, session: "s1" });
  const person = await connectedClient({ home });
  const parts = [`one ${secret.slice(0, 20)}`, `${secret.slice(20)} two é\n> g`];
  const script = 'printf "%s" "$1"; read go; printf "%s" "$2"; read go';
  const { id } = await agent.process.start({
    command: ["sh", "-c", script, "x", ...parts],
    cwd: "/",
    stdin: "open",
    watches: [{ kind: "text", text: "two" }],
  });
  const written = parts.join("");
  const end = Buffer.byteLength(written);
  const shown = written.replace(secret, "*".repeat(secret.length));
  const live = agent.output(id);
  const seen = reader(live);
  expect(await seen(24), "what may be half of one is told after a moment, hidden").toBe(shown.slice(0, 24));
  await person.process.write({ id, parts: [{ text: "\n" }] });
  expect(await seen(end), "and so is a prompt that ends as one may begin").toBe(shown);
  const match = { kind: "match", text: "two" } as const;
  const { results } = await agent.process.wait({ ids: [id], for: match });
  expect(results[0]?.match?.line).toMatch(/^one \[redacted:[a-z-]+\] two é$/);
  await person.process.closeStdin({ id });
  await person.process.wait({ ids: [id] });
  await seen(end + 1);

  const bytes = Buffer.from(written);
  for (let from = 0; from < end; from++) {
    const rest = Buffer.from(shown).subarray(from);
    expect(await wholeText(agent.output(id, { from }), from)).toBe(rest.toString());
    const { text = "" } = await agent.process.output({ id, from, format: "raw" });
    expect(Buffer.from(text, "base64")).toEqual(rest);
  }
  const pieces = (await agent.process.output({ id, format: "raw", pieces: true })).pieces ?? [];
  expect(Buffer.concat(pieces.map(({ text }) => Buffer.from(text, "base64"))).toString()).toBe(shown);
  expect(await wholeText(person.output(id))).toBe(written);
  const raw = await person.process.output({ id, format: "raw" });
  expect(Buffer.from(raw.text ?? "", "base64")).toEqual(bytes);
  const [watch] = (await agent.watch.list({ id })).watches;
  const found = await agent.watch.hits({ watch: watch?.id ?? "" });
  expect(found.hits[0]).toMatchObject({ offset: 0 });
  expect(found.hits[0]?.line).toMatch(/^one \[redacted:[a-z-]+\] two é$/);
  expect((await person.watch.hits({ watch: watch?.id ?? "" })).hits[0]?.line).toContain(secret);
});

test("a secret on a screen is stars for a session, also where the screen was too narrow for it, and columns stay", async () => {
  const { home } = await openDaemonHome();
  const agent = await connectedClient({ home, session: "s1" });
  const person = await connectedClient({ home });
  const command = ["printf", "é %s two\nthree", secret];
  const { id } = await agent.process.start({ command, cwd: "/", mode: "pty", columns: 20, rows: 9 });
  await person.process.wait({ ids: [id] });
  const written = [`é ${secret.slice(0, 18)}`, secret.slice(18, 38), `${secret.slice(38)} two`, "three"];
  expect((await person.process.screen({ id })).lines).toEqual(written);
  const { lines, cursor } = await agent.process.screen({ id });
  expect(lines).toEqual([`é ${"*".repeat(18)}`, "*".repeat(20), "** two", "three"]);
  expect(cursor).toMatchObject({ line: 4, column: 6 });
});

test("only the configuration a daemon was started with turns it off", async () => {
  const daemon = await openDaemonHome();
  const agent = await connectedClient({ home: daemon.home, session: "s1" });
  const line = `${secret} ${"x".repeat(3_000)}`;
  /** Ids of a process that has written the line, and of the notice of its watch: too long, so cut. */
  const write = async (): Promise<{ id: string; shown: string }> => {
    const watches = [{ kind: "text" as const, text: "xxx" }];
    const { id } = await agent.process.start({ command: ["echo", line], cwd: "/", watches });
    await agent.process.wait({ ids: [id] });
    const told = async (): Promise<unknown> =>
      (await agent.notifications.list({ process: id, kinds: ["watch.matched"] })).notices[0]?.data["lines"];
    await expect.poll(told, { timeout: 20_000 }).toHaveLength(1);
    return { id, shown: JSON.stringify(await told()).slice(0, 150) };
  };
  const { id, shown } = await write();
  expect(shown).not.toContain(secret);
  expect(await agent.config.set({ key: "redaction.enabled", value: false })).toMatchObject({
    needsRestart: true,
  });
  expect((await agent.process.output({ id, redact: false })).text?.includes(secret)).toBe(false);
  await daemon.kill();
  await daemon.start();
  expect((await agent.process.output({ id })).text?.includes(secret)).toBe(true);
  expect((await wholeText(agent.output(id))).includes(secret)).toBe(true);
  expect((await write()).shown, "nor is a line redacted before it is cut").toContain(secret);
});
