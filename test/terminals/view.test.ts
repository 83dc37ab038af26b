import { expect, test } from "vitest";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { openViewer } from "../support/terminal-viewer.ts";

async function shell(home: string, command: string) {
  const client = await connectedClient({ home });
  const started = await client.process.start({ command, mode: "pty", stdin: "open" });
  return { client, id: started.id };
}

test("a viewer sees what was written before it came, and everything after", async () => {
  const { home } = await openDaemonHome();
  const { client, id } = await shell(home, "printf '\\033[31mred\\033[0m\\r\\n'; cat");
  const viewer = openViewer(client, id, { keyboard: true });
  await viewer.until(({ lines }) => lines[0] === "red", "the line from before");
  await viewer.until(({ hasKeyboard }) => hasKeyboard, "the keyboard");
  await viewer.type("typed\r");
  await viewer.until(({ lines }) => lines[2] === "typed", "what was typed, and its echo");
  expect(viewer.screens).toMatchObject([{ why: "opened", columns: 80, rows: 24 }]);
  const screen = await client.process.screen({ id });
  expect(screen.lines).toEqual(viewer.lines);
});
