// Realistic jobs of an agent, done only through the tools. The fifth, going on after everything was killed: recovery.test.ts.
import { expect, test } from "vitest";
import { openCliHome } from "../support/cli-home.ts";
import { connectedClient } from "../support/connected-client.ts";
import { idOf, openAgent, untilTold } from "../support/mcp-client.ts";
import { openViewer } from "../support/terminal-viewer.ts";

test("a dev server is started and waited for until it answers", async () => {
  const agent = await openAgent(openCliHome(), { era: "modern" });
  const server = `require("node:http").createServer((q, r) => r.end("hello")).listen(0, "127.0.0.1", function () { console.log("listening on " + this.address().port); })`;
  const started = await agent.call("terminal", {
    command: `'${process.execPath}' -e '${server}'`,
    background: true,
    name: "web",
  });
  expect(started.text).toContain("runs in the background");
  const ready = await agent.call("process", {
    action: "waitForLog",
    id: "web",
    pattern: "listening on \\d+",
  });
  expect(ready.facts).toMatchObject({ outcome: "met" });
  const port = /listening on (\d+)/.exec(ready.text)?.[1];
  const url = `http://127.0.0.1:${port}/`;
  expect((await agent.call("process", { action: "wait", id: "web", port })).facts).toMatchObject({
    outcome: "met",
  });
  expect((await agent.call("process", { action: "wait", id: "web", url })).facts).toMatchObject({
    outcome: "met",
  });
  expect(await (await fetch(url)).text()).toBe("hello");
  const ended = await agent.call("process", { action: "kill", id: "web" });
  expect(ended.facts).toMatchObject({ state: "ended", stopReason: "user" });
});

test("the prompts of an installer are answered, a password among them", async () => {
  const agent = await openAgent(openCliHome());
  const script =
    'printf "Install? [y/N] "; read a; echo "answer $a"; stty -echo; printf "Password: "; read p; stty echo; echo; echo "length ${#p}"';
  const asked = await agent.call("terminal", { command: script, pty: true, timeout: 20 });
  expect(asked.facts).toMatchObject({ state: "running", waitsFor: "input" });
  expect(asked.text).toContain("Install? [y/N]");
  const id = idOf(asked);
  const second = await agent.call("process", { action: "submit", id, data: "y" });
  expect(second.text).toContain("answer y");
  const hidden = await untilTold(
    agent,
    { action: "poll", id },
    ({ facts }) => facts["waitsFor"] === "a password",
  );
  expect(hidden.facts["state"]).toBe("running");
  const done = await agent.call("process", { action: "submit", id, data: "hunter2", secret: true });
  expect(done.text).not.toContain("hunter2");
  const end = await agent.call("process", { action: "wait", id });
  expect(end.facts).toMatchObject({ state: "ended", exitCode: 0 });
  expect((await agent.call("process", { action: "log", id })).text).toContain("length 7");
});

test("a full-screen program is driven by keys and seen by its screen; a person's view of it is closed", async () => {
  const home = openCliHome();
  const agent = await openAgent(home);
  const started = await agent.call("terminal", {
    // A token that stands nowhere as one word but on the screen.
    command: `t=ghp_$(printf 0123456789abcdefghijklmnopqrstuvwxyz); seq 1 500 | sed "s/^/row /; 2s/$/ $t/" | less`,
    pty: true,
    background: true,
  });
  const id = idOf(started);
  const first = await untilTold(agent, { action: "screen", id }, ({ text }) => text.includes("row 29"));
  expect(first.text).toContain("  | row 1\n");
  expect(first.text).toContain(`  | row 2 ${"*".repeat(40)}\n`);
  expect(first.facts).toMatchObject({ isAlternate: true, rows: 30, columns: 120 });
  await agent.call("process", { action: "write", id, data: "G" });
  const last = await untilTold(agent, { action: "screen", id }, ({ text }) => text.includes("row 500"));
  expect(last.text).not.toContain("row 1\n");
  await agent.call("process", { action: "write", id, keys: ["up"] });
  const up = await untilTold(agent, { action: "screen", id }, ({ text }) => !text.includes("row 500"));
  expect(up.facts["changedLines"]).toBeInstanceOf(Array);
  const close = { action: "close_view", id };
  expect((await agent.call("process", close)).text).toContain("NO_VIEWER");
  const viewer = openViewer(await connectedClient({ home: home.home }), id);
  await viewer.until(({ lines }) => lines.length === 30, "its screen");
  expect((await agent.call("process", close)).text).toBe(
    `1 view of ${id} is closed; the process is left alone.`,
  );
  await viewer.until(({ isClosed }) => isClosed, "closed");
  await agent.call("process", { action: "write", id, data: "q" });
  expect((await agent.call("process", { action: "wait", id })).facts).toMatchObject({
    state: "ended",
    exitCode: 0,
  });
});

test("a long test suite runs in the background, and the agent is told once how it ended", async () => {
  const agent = await openAgent(openCliHome());
  const suite = 'for i in 1 2 3; do echo "test $i ok"; sleep 0.1; done; echo "1 failed"; exit 1';
  const started = await agent.call("terminal", { command: suite, background: true, watch: ["failed"] });
  const id = idOf(started);
  const deadlineMs = performance.now() + 20_000;
  let told = await agent.call("notifications");
  while (!told.text.includes("exit code 1") && performance.now() < deadlineMs) {
    const more = await agent.call("notifications");
    told = { ...more, text: `${told.text}\n${more.text}` };
  }
  expect(told.text).toContain(id);
  expect(told.text).toContain("1 failed");
  expect((await agent.call("notifications")).text).toBe("Nothing new.");
});
