// A secret that is typed for a password prompt reaches the program and nothing else, whichever way it comes.
import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { expect, test } from "vitest";
import type { InputWait } from "../../src/protocol/process.ts";
import { compileFixture } from "../support/compile-fixture.ts";
import { connectedClient } from "../support/connected-client.ts";
import { ask, refused } from "../support/daemon-calls.ts";
import { openDaemonHome, type DaemonHome } from "../support/daemon-home.ts";
import { bashPrompt, heard, newSecret } from "../support/secrets.ts";
import { filesHolding } from "../support/files-holding.ts";

// Whatever the log tells, a secret is not in it.
const talkative = { environment: { HOLDFAST_LOG_LEVEL: "trace" } };

async function waitsFor(daemon: DaemonHome, id: string, waits: InputWait["waits"]): Promise<void> {
  const look = async (): Promise<string> => (await ask(daemon, "process.get", { id })).inputWait.waits;
  await expect.poll(look, { timeout: 10_000 }).toBe(waits);
}

async function says(daemon: DaemonHome, id: string, text: string): Promise<void> {
  const answer = await ask(daemon, "process.wait", {
    ids: [id],
    for: { kind: "match", text },
    timeoutMs: 10_000,
  });
  expect(answer, text).toMatchObject({ outcome: "met" });
}

test("over the API: refused while the terminal echoes, taken at the prompt, in no event and in no file", async () => {
  const secret = newSecret();
  const daemon = await openDaemonHome(talkative);
  const client = await connectedClient({ home: daemon.home });
  const command = ["/bin/sh", "-c", `echo begin; read line; exec ${compileFixture("ask_password")}`];
  const { id } = await ask(daemon, "process.start", { command, cwd: "/", mode: "pty" });
  const events: string[] = [];
  const listening = (async () => {
    for await (const event of client.events({ after: 0 })) {
      events.push(JSON.stringify(event));
      if (event.kind === "process.ended") return;
    }
  })();
  await says(daemon, id, "begin");
  const write = { id, parts: [{ text: `${secret}\n` }], secret: true };
  expect(await refused(daemon, "process.write", write)).toMatchObject({ code: "ECHO_ON", status: 409 });
  await ask(daemon, "process.write", { id, parts: [{ key: "enter" }] });
  await waitsFor(daemon, id, "password");
  await ask(daemon, "process.write", write);
  await says(daemon, id, heard(secret));
  await ask(daemon, "process.write", { id, parts: [{ text: "plain\n" }] });
  await ask(daemon, "process.wait", { ids: [id] });
  await listening;
  expect(events.length).toBeGreaterThanOrEqual(2);
  expect(events.join("\n")).not.toContain(secret);
  expect(JSON.stringify(await ask(daemon, "process.get", { id }))).not.toContain(secret);
});

test("a daemon killed over it loses and repeats nothing: the retry is recognised although the prompt is over", async () => {
  const secret = newSecret();
  const daemon = await openDaemonHome(talkative);
  const command = [compileFixture("ask_password")];
  const { id } = await ask(daemon, "process.start", { command, cwd: "/", mode: "pty" });
  await waitsFor(daemon, id, "password");
  const writer = { id: randomBytes(8).toString("hex"), sequence: 0 };
  const write = { id, parts: [{ text: `${secret}\n` }], secret: true, writer };
  // Whether it dies before, in or after the write: the client asks again, as the SDK does by itself.
  const first = daemon.call("process.write", write).catch(() => undefined);
  await daemon.kill();
  await first;
  expect(filesHolding(daemon.home, secret)).toBe("");
  await daemon.start();
  await ask(daemon, "process.write", write);
  await says(daemon, id, heard(secret));
  await waitsFor(daemon, id, "yes");
  const bytes = Buffer.byteLength(`${secret}\n`);
  expect(await ask(daemon, "process.write", write)).toMatchObject({ bytes, next: bytes });
  await ask(daemon, "process.write", { id, parts: [{ text: "plain\n" }] });
  await says(daemon, id, "then plain");
});

test("no error repeats it: a wrong field, a body that is no JSON, a name of a key", async () => {
  const secret = newSecret();
  const daemon = await openDaemonHome(talkative);
  const { id } = await ask(daemon, "process.start", { command: bashPrompt, cwd: "/", mode: "pty" });
  await waitsFor(daemon, id, "password");
  const wrong = [
    { id, parts: [{ key: secret }], secret: true },
    { id, parts: [{ text: [secret] }], secret: true },
    { id, parts: secret, secret: true },
    { id, parts: [{ base64: `${secret}!` }], secret: true },
  ];
  for (const input of wrong) {
    const error = await refused(daemon, "process.write", input);
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(JSON.stringify(error)).not.toContain(secret);
  }
  expect(await postText(daemon.socketPath, `{"id": "${id}", "parts": [{"text": "${secret}"]`)).not.toContain(
    secret,
  );
});

function postText(socketPath: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const sent = request({ socketPath, method: "POST", path: "/v1/process.write", headers }, (answer) => {
      let body = "";
      answer.on("data", (chunk: Buffer) => (body += chunk.toString()));
      answer.on("end", () => resolve(body));
    });
    sent.on("error", reject).end(text);
  });
}
