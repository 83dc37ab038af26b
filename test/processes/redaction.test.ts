// Secrets in command lines and output: on disk as written, out of lists, notices, events and what a session reads.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectedClient } from "../support/connected-client.ts";
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

test("only the configuration a daemon was started with turns it off", async () => {
  const daemon = await openDaemonHome();
  const agent = await connectedClient({ home: daemon.home, session: "s1" });
  const { id } = await agent.process.start({ command: ["echo", secret], cwd: "/" });
  await agent.process.wait({ ids: [id] });
  expect(await agent.config.set({ key: "redaction.enabled", value: false })).toMatchObject({
    needsRestart: true,
  });
  expect((await agent.process.output({ id, redact: false })).text).not.toContain(secret);
  await daemon.kill();
  await daemon.start();
  expect((await agent.process.output({ id })).text).toContain(secret);
});
