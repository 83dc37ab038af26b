import { expect, test } from "vitest";
import { ask } from "../support/daemon-calls.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";

test("who asks for it hears that output grows, with the size, and nothing of it is stored", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const { id } = await ask(daemon, "process.start", {
    command: "while read line; do echo $line; done",
    cwd: "/",
    stdin: "open",
  });
  const sizes: number[] = [];
  for await (const event of client.events({ after: 0, output: true, signal: AbortSignal.timeout(20_000) })) {
    if (event.kind === "process.started")
      await ask(daemon, "process.write", { id, parts: [{ text: "12345\n" }] });
    if (event.kind !== "process.output-grew") continue;
    expect(event.processId).toBe(id);
    sizes.push(event.outputBytes);
    if (sizes.length === 1) await ask(daemon, "process.write", { id, parts: [{ text: "6789\n" }] });
    if (sizes.length === 2) break;
  }
  expect(sizes).toEqual([6, 11]);
});
