// The official client over streamable HTTP, on the daemon's socket, in both eras.
import { expect, test } from "vitest";
import { openDaemonHome } from "../support/daemon-home.ts";
import { eras, modernRevision, openHttpAgent } from "../support/mcp-client.ts";
import { unixFetch } from "../support/unix-fetch.ts";

test.each(eras)(
  "%s: tools over HTTP; a session by header or by client sees its own processes",
  async (era) => {
    const daemon = await openDaemonHome();
    const one = await openHttpAgent(daemon, { era, headers: { "holdfast-session": "one" } });
    const other = await openHttpAgent(daemon, { era, name: "other-agent" });
    const started = await one.call("terminal", {
      command: "echo mine; sleep 60",
      background: true,
      workdir: "/",
    });
    expect(started.facts).toMatchObject({ state: "running" });
    const seen = await one.call("process", { action: "list" });
    expect(seen.text).toContain(String(started.facts["id"]));
    expect((await other.call("process", { action: "list" })).text).toBe("No processes.");
  },
);

test("a page of another site is refused, and so is what is no JSON", async () => {
  const { socketPath } = await openDaemonHome();
  const fetch = unixFetch(socketPath);
  const send = async (headers: Record<string, string>, body: string): Promise<number> =>
    (await fetch("http://localhost/mcp", { method: "POST", headers, body })).status;
  const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
  expect(await send({ ...json, origin: "https://evil.example" }, ping)).toBe(403);
  expect(await send({ ...json, origin: "null" }, ping)).toBe(403);
  expect(await send({ ...json, origin: "http://localhost:5173" }, ping)).toBe(200);
  expect(await send(json, "{")).toBe(400);
  expect(await send({ ...json, "content-type": "text/plain" }, ping)).toBe(415);
  const wrongVersion = { ...json, "mcp-protocol-version": modernRevision };
  expect(await send(wrongVersion, ping)).toBe(400);
});
