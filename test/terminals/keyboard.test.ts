// Several viewers of one terminal: who types, whose size it has, and how a view ends.
import { beforeEach, expect, test } from "vitest";
import type { Client } from "../../src/client/index.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome, type DaemonHome } from "../support/daemon-home.ts";
import { openViewer, untilAlike } from "../support/terminal-viewer.ts";

let daemon: DaemonHome;
let client: Client;
let id: string;

beforeEach(async () => {
  daemon = await openDaemonHome();
  client = await connectedClient({ home: daemon.home });
  // What has been read of a line when the time is up is kept for the next read: a busy machine stops in the middle of one.
  // The size is told outside of the trap: bash forgets a signal that comes while the trap of the one before it runs.
  const command = `trap 'resized=1' WINCH; stty -echo; echo begun
    while :; do
      read -r -t 0.2 part; code=$?; line=$line$part
      [ $code = 0 ] && echo "got $line" && line=
      [ -n "$resized" ] && resized= && stty size
    done`;
  ({ id } = await client.process.start({ command: ["bash", "-c", command], mode: "pty", stdin: "open" }));
  // A size that is set before it listens is told to nobody.
  await client.process.wait({ ids: [id], for: { kind: "match", text: "begun" } });
});

/** In force, as the daemon tells it: it hears of a size when the program does. */
async function sizeTold(): Promise<string> {
  const { columns, rows } = await client.process.get({ id });
  return `${rows} ${columns}`;
}

test("one types, the other looks on and is told who; taking it is allowed, and said to all", async () => {
  const first = openViewer(client, id, { name: "first", keyboard: true });
  await first.until(({ hasKeyboard }) => hasKeyboard, "the keyboard, since nobody had it");
  const second = openViewer(client, id, { name: "second", keyboard: true });
  await second.until(({ viewers }) => viewers?.viewers.length === 2, "both viewers");
  expect(second.hasKeyboard).toBe(false);
  expect(second.viewers?.keyboard).toBe(first.viewers?.you);
  await expect(second.type("no\r")).rejects.toMatchObject({
    code: "KEYBOARD_NOT_HELD",
    message: expect.stringContaining("first has the keyboard") as string,
  });
  await first.type("one\r");
  await second.until(({ lines }) => lines.includes("got one"), "what the other typed");
  second.view.takeKeyboard();
  await first.until(({ viewers }) => viewers?.keyboard === second.viewers?.you, "that it was taken");
  await second.until(({ hasKeyboard }) => hasKeyboard, "that it has it");
  await expect(first.type("no\r")).rejects.toMatchObject({ code: "KEYBOARD_NOT_HELD" });
  await second.type("two\r");
  await first.until(({ lines }) => lines.includes("got two"), "what the other typed");
  second.view.releaseKeyboard();
  await first.until(({ viewers }) => viewers?.keyboard === null, "that nobody has it");
  expect((await client.views.list({ id })).views.map(({ name, keyboard }) => [name, keyboard])).toEqual([
    ["first", false],
    ["second", false],
  ]);
});

test("the terminal has the size of the one who types; the other draws the same", async () => {
  const first = openViewer(client, id, { columns: 100, rows: 30, keyboard: true });
  const second = openViewer(client, id, { columns: 60, rows: 15 });
  await second.until(
    ({ size, lines }) => size.columns === 100 && lines.includes("30 100"),
    "the size of the first",
  );
  second.view.resize({ columns: 61, rows: 16 });
  second.view.takeKeyboard();
  await first.until(
    ({ size, lines }) => size.columns === 61 && lines.includes("16 61"),
    "the size of the second",
  );
  // A storm of sizes ends in the last one.
  for (let columns = 20; columns <= 120; columns++) second.view.resize({ columns, rows: 20 });
  await first.until(({ lines }) => lines.includes("20 120"), "the last size");
  await second.until(({ lines }) => lines.includes("20 120"), "the last size");
  // It may be told twice, when two came together.
  await untilAlike(first, second);
  second.view.resize({ columns: 100_000, rows: 100_000 });
  await first.until(({ lines }) => lines.includes("500 1000"), "the largest size there can be");
  await expect.poll(sizeTold).toBe("500 1000");
});

test("a viewer that is not shown yet leaves the size alone, also with the keyboard; what it asks for before it is connected is heard", async () => {
  const hidden = openViewer(client, id, { columns: 0, rows: 0, keyboard: true });
  await hidden.until(({ hasKeyboard, screens }) => hasKeyboard && screens.length > 0, "the keyboard");
  expect(hidden.size).toEqual({ columns: 80, rows: 24 });
  hidden.view.resize({ columns: 70, rows: 20 });
  await hidden.until(({ lines }) => lines.includes("20 70"), "its size, now that it has one");
  const second = openViewer(client, id, { columns: 0, rows: 0 });
  second.view.resize({ columns: 60, rows: 15 });
  second.view.takeKeyboard();
  await second.until(
    ({ hasKeyboard, lines }) => hasKeyboard && lines.includes("15 60"),
    "the keyboard and its size",
  );
  await expect.poll(sizeTold).toBe("15 60");
});

test("who comes back soon finds its keyboard; after kill -9 of the daemon too", async () => {
  const first = openViewer(client, id, { name: "first", keyboard: true });
  await first.until(({ hasKeyboard }) => hasKeyboard, "the keyboard");
  const second = openViewer(client, id, { name: "second" });
  await second.until(({ viewers }) => viewers?.viewers.length === 2, "both viewers");
  await first.until(({ screens }) => screens.length === 1, "a screen");
  await daemon.kill();
  await daemon.start();
  await first.until(({ screens }) => screens.length === 2, "a screen of the new daemon");
  await first.until(({ hasKeyboard }) => hasKeyboard, "the keyboard");
  await first.type("again\r");
  await second.until(({ lines }) => lines.includes("got again"), "what the other typed");
  expect(first.screens).toHaveLength(2);
});

test("view close ends every view and leaves the process alone, also when it has ended", async () => {
  await expect(client.views.close({ id })).rejects.toMatchObject({ code: "NO_VIEWER" });
  const viewers = [openViewer(client, id), openViewer(client, id)];
  await viewers[1]?.until(({ viewers: told }) => told?.viewers.length === 2, "both");
  const { id: other } = await client.process.start({ command: "cat", mode: "pty", stdin: "open" });
  const stays = openViewer(client, other);
  await stays.until(({ screens }) => screens.length === 1, "another view");
  expect(await client.views.close({ id })).toEqual({ id, closed: 2 });
  for (const viewer of viewers) await viewer.until(({ isClosed }) => isClosed, "that it is closed");
  expect((await client.process.get({ id })).state).toBe("running");
  expect(await client.views.close({ id })).toEqual({ id, closed: 0 });
  await client.process.stop({ ids: [other], graceMs: 0 });
  await stays.until(({ hasEnded }) => hasEnded, "the end of the process");
  expect((await client.views.list({})).views).toHaveLength(1);
  expect(await client.views.close({ id: other })).toEqual({ id: other, closed: 1 });
  await stays.until(({ isClosed }) => isClosed, "that it is closed");
});

test("what is no terminal has no view, and what is no process neither", async () => {
  const { id: pipe } = await client.process.start({ command: "cat", stdin: "open" });
  await expect(client.process.screen({ id: pipe })).rejects.toMatchObject({ code: "NOT_A_TERMINAL" });
  for (const [reference, code] of [
    [pipe, "NOT_A_TERMINAL"],
    ["p_nothing", "PROCESS_NOT_FOUND"],
  ] as const) {
    const closed = Promise.withResolvers<unknown>();
    const ignore = (): void => undefined;
    const view = client.view({
      id: reference,
      name: "",
      columns: 80,
      rows: 24,
      handlers: {
        onScreen: ignore,
        onOutput: ignore,
        onResized: ignore,
        onTitle: ignore,
        onViewers: ignore,
        onEnd: ignore,
        onClosed: closed.resolve,
      },
    });
    expect(await closed.promise).toMatchObject({ code });
    await view.close();
  }
});
