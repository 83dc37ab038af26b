// A program that writes without end: it never waits, stays interruptible, and does not slow down the others.
import { expect, test } from "vitest";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { openViewer, untilAlike } from "../support/terminal-viewer.ts";

test("`yes` is ended by Ctrl-C from a view, which is sent little after that; another terminal goes on meanwhile", async () => {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home });
  const { process } = await client.terminal.open({ key: "flood", cwd: "~", shell: "/bin/sh" });
  const { id: other } = await client.process.start({ command: "cat", mode: "pty", stdin: "open" });
  const windowBytes = 128 * 1024;
  const flood = openViewer(client, process.id, { keyboard: true, windowBytes });
  const quiet = openViewer(client, other, { keyboard: true });
  await flood.until(({ hasKeyboard, screens }) => hasKeyboard && screens.length > 0, "the keyboard");
  await quiet.until(({ hasKeyboard, screens }) => hasKeyboard && screens.length > 0, "the keyboard");
  await flood.type("PS1='prompt: '; yes\r");
  await flood.until(({ lines }) => lines.length > 20 && lines.at(-1) === "y", "the flood");
  for (let key = 0; key < 5; key++) {
    await quiet.type(`k${key}\r`);
    await quiet.until(({ lines }) => lines.filter((line) => line === `k${key}`).length === 2, "an echo");
  }
  await flood.type("\u0003");
  // Once it was taken: how long that takes, and how much comes until then, is up to the machine.
  const before = { bytes: flood.outputBytes, screens: flood.screens.length };
  await flood.until(({ lines }) => lines.at(-1)?.startsWith("prompt:") === true, "the prompt");
  // What was under way, a screen or two, and what a viewer that follows is sent until the program has heard: not the backlog.
  expect(flood.outputBytes - before.bytes).toBeLessThan(4 * windowBytes);
  expect(flood.screens.length - before.screens).toBeLessThan(20);
  const { outputBytes } = await client.process.get({ id: process.id });
  expect(flood.outputBytes).toBeLessThan(outputBytes);
  const late = openViewer(client, process.id);
  await late.until(({ lines }) => lines.at(-1)?.startsWith("prompt:") === true, "the prompt");
  await untilAlike(late, flood);
});

test("a viewer that takes nothing holds up nobody, and gets a screen when it takes again", async () => {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home });
  const command =
    "read line; i=0; while [ $i -lt 20000 ]; do printf '\\033[3%dmline %080d\\033[K\\r\\n' $((i%8)) $i; i=$((i+1)); done; echo done; cat";
  const { id } = await client.process.start({ command, mode: "pty", stdin: "open" });
  const stuck = openViewer(client, id, { windowBytes: 1_000 });
  await stuck.until(({ screens }) => screens.length === 1, "a screen");
  const before = stuck.screens.length;
  stuck.pause();
  await client.process.write({ id, parts: [{ key: "enter" }] });
  await client.process.wait({ ids: [id], for: { kind: "match", text: "done" } });
  const other = openViewer(client, id);
  await other.until(({ lines }) => lines.at(-1) === "done", "the end");
  stuck.resume();
  await stuck.until(({ lines }) => lines.at(-1) === "done", "the end");
  expect(stuck.screens.slice(before).map(({ why }) => why)).toContain("resynced");
  await untilAlike(stuck, other);
});

test("sequences that would keep a terminal busy for ever are done in no time", async () => {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home });
  const hostile = [
    "\\033[2147483647L",
    "\\033[2147483647S",
    "x\\033[2147483647b",
    "\\033[24;80H\\033[1J",
    "\\033]52;c;c2VjcmV0\\007",
    "\\033]0;\\033[31mti\\007",
    "\\033[2J\\033[H",
  ].join("");
  const { id } = await client.process.start({
    command: `printf '${hostile}safe\\r\\n'; cat`,
    mode: "pty",
    stdin: "open",
  });
  const viewer = openViewer(client, id, { keyboard: true });
  await viewer.until(({ lines }) => lines[0] === "safe", "what comes after");
  await viewer.until(({ hasKeyboard }) => hasKeyboard, "the keyboard");
  await viewer.type("on\r");
  await viewer.until(({ lines }) => lines.includes("on"), "what is typed");
  expect(viewer.output).not.toContain("]52");
});
