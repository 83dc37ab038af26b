// The same screen comes back, whatever is killed, and nothing is answered twice.
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Client } from "../../src/client/index.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { openViewer, untilAlike, type Viewer } from "../support/terminal-viewer.ts";
import { repaintingProgram } from "../support/repainting-program.ts";
import { testDirectory } from "../support/test-home.ts";

async function start(client: Client, command: string, limits = {}): Promise<string> {
  const { id } = await client.process.start({ command, mode: "pty", stdin: "open", limits });
  return id;
}

/** What the daemon draws now, from what it has. */
async function seenBy(client: Client, id: string, line: string): Promise<Viewer> {
  const viewer = openViewer(client, id);
  await viewer.until(({ lines }) => lines.includes(line), line);
  return viewer;
}

async function polled(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not so: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test("after kill -9 of the daemon a viewer has the same screen, modes and colours included, and goes on", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const paint =
    "printf 'before\\r\\n\\033[?1049h\\033[2J\\033[3;5H\\033[1;44mpanel\\033[0m\\033[?25l\\033[?2004h\\033[?1002h\\033[?1006h\\033[4;10r\\033]0;title\\007ready'";
  const id = await start(client, `${paint}; stty raw -echo; cat`);
  const before = await seenBy(client, id, "ready");
  const { state } = before;
  await before.close();
  await daemon.kill();
  await daemon.start();
  const after = await seenBy(client, id, "ready");
  expect(after.state).toBe(state);
  expect(await client.process.screen({ id })).toMatchObject({
    isAlternate: true,
    title: "title",
    cursor: { isVisible: false },
    modes: { bracketedPaste: true, mouse: "drag" },
  });
  await client.process.write({ id, parts: [{ text: "\u001b[?1049lback\r\n" }] });
  await after.until(({ lines }) => lines[0]?.startsWith("before") === true, "the normal screen");
});

test("a question is answered once, also when its output is drawn again", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const file = join(testDirectory(), "typed");
  const id = await start(client, `stty raw -echo; printf 'ab\\033[c\\033[6n\\033[?2004$p'; cat > ${file}`);
  const answers = "\u001b[?1;2c\u001b[1;3R\u001b[?2004;2$y";
  const typed = (): string => (existsSync(file) ? readFileSync(file, "latin1") : "");
  await polled(() => typed() === answers, "the answers");
  for (let round = 0; round < 2; round++) {
    await daemon.kill();
    await daemon.start();
    await seenBy(client, id, "ab");
  }
  await client.process.write({ id, parts: [{ text: "end" }] });
  await polled(() => typed().endsWith("end"), "what was typed last");
  expect(typed()).toBe(`${answers}end`);
});

test("drawn again from a checkpoint, its answers are known to have been typed", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const file = join(testDirectory(), "typed");
  // Much output, so that a checkpoint is kept; then a question; then nothing.
  const flood = "head -c 3000000 /dev/zero | tr '\\0' x | fold -w 70";
  const go = join(testDirectory(), "ask");
  const id = await start(
    client,
    `stty raw -echo; ${flood}; while [ ! -e ${go} ]; do sleep 0.05; done; printf '\\r\\nasks\\033[c'; cat > ${file}`,
  );
  const typed = (): string => (existsSync(file) ? readFileSync(file, "latin1") : "");
  const checkpoint = join(daemon.home, "runs", id, "screen");
  await polled(() => existsSync(checkpoint), "a checkpoint");
  writeFileSync(go, "");
  await polled(() => typed() === "\u001b[?1;2c", "the answer");
  expect(statSync(checkpoint).mode & 0o777).toBe(0o600);
  await daemon.kill();
  await daemon.start();
  await polled(async () => (await client.process.screen({ id })).lines.at(-1) === "asks", "the screen");
  await client.process.write({ id, parts: [{ text: "end" }] });
  await polled(() => typed().endsWith("end"), "what was typed last");
  expect(typed()).toBe("\u001b[?1;2cend");
});

test("killed in a flood, it draws to its end what came meanwhile", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const id = await start(client, "read line; seq 1 6000000; echo all done; cat");
  const viewer = openViewer(client, id);
  await viewer.until(({ screens }) => screens.length === 1, "a screen");
  await client.process.write({ id, parts: [{ key: "enter" }] });
  await viewer.until(({ lines }) => lines.some((line) => /^\d+$/.test(line)), "some of the flood");
  await daemon.kill();
  await daemon.start();
  await viewer.until(({ lines }) => lines.at(-1) === "all done", "the end of the flood");
  expect(viewer.lines.at(-2)).toBe("6000000");
  const other = await seenBy(client, id, "all done");
  await untilAlike(other, viewer);
});

test("what was not kept is told, and the program is asked to paint again", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const go = join(testDirectory(), "go");
  const gone = join(testDirectory(), "gone");
  const id = await start(client, repaintingProgram(go, gone), { headBytes: 4_096, tailBytes: 65_536 });
  const viewer = await seenBy(client, id, "first");
  await daemon.kill();
  // While nobody draws, more is written than is kept.
  writeFileSync(go, "");
  await polled(() => existsSync(gone), "the flood");
  await daemon.start();
  await viewer.until(({ lines }) => lines[0] === "painted 24 80", "what it painted when it was asked");
  const told = viewer.screens.find(({ missing }) => missing !== undefined);
  expect(told).toMatchObject({ missing: { from: expect.any(Number) as number } });
  expect((await client.process.screen({ id })).missing).toEqual(told?.missing);
});

test("an ended process is seen as it was, from what was kept of it", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const id = await start(client, "printf '\\033[32mgreen\\033[0m\\r\\nlast line'");
  await client.process.wait({ ids: [id] });
  const viewer = await seenBy(client, id, "last line");
  await viewer.until(({ hasEnded }) => hasEnded, "its end");
  const { state } = viewer;
  await polled(() => existsSync(join(daemon.home, "runs", id, "screen")), "its checkpoint");
  await daemon.kill();
  await daemon.start();
  const after = await seenBy(client, id, "last line");
  await after.until(({ hasEnded }) => hasEnded, "its end");
  expect(after.state).toBe(state);
  await client.process.remove({ ids: [id] });
  expect(existsSync(join(daemon.home, "runs", id))).toBe(false);
});
