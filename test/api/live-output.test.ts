// Live output over WebSocket: credit, slow readers, places to begin, refusals.
import { expect, test } from "vitest";
import { UnixTransport } from "../../src/client/node/unix-transport.ts";
import { decodeOutputData } from "../../src/protocol/live-frames.ts";
import { connectedClient, wholeText } from "../support/connected-client.ts";
import { sharedDaemonHome } from "../support/daemon-home.ts";

const shared = await sharedDaemonHome();

test("the daemon sends no byte more than the client has promised to take", async () => {
  const { home, socketPath } = shared;
  const client = await connectedClient({ home });
  const { id } = await client.process.start({ command: "printf 0123456789; sleep 0.2; printf abcdefghij" });
  await client.process.wait({ ids: [id] });
  await using transport = {
    socket: new UnixTransport(socketPath),
    [Symbol.asyncDispose]: async () => undefined,
  };
  const socket = await transport.socket.socket({
    path: `/v1/process.output/live?id=${id}&from=0&credit=4`,
    headers: {},
  });
  const parts: string[] = [];
  const take = async (): Promise<void> => {
    const message = await socket.receive();
    if (message === undefined) throw new Error(`closed after ${parts.join(",")}`);
    if (typeof message === "string") parts.push((JSON.parse(message) as { kind: string }).kind);
    else parts.push(Buffer.from(decodeOutputData(message)?.bytes ?? []).toString());
  };
  await take();
  expect(parts).toEqual(["0123"]);
  socket.send('{"credit":3}');
  await take();
  expect(parts).toEqual(["0123", "456"]);
  socket.send('{"credit":1000}');
  while (parts.at(-1) !== "end") await take();
  expect(parts.join("")).toBe("0123456789abcdefghijend");
  transport.socket.close();
});

test("a reader that stands still costs only itself", async () => {
  const { home } = shared;
  const client = await connectedClient({ home });
  const { id } = await client.process.start({ command: "head -c 20000000 /dev/zero | tr '\\0' x" });
  const still = client.output(id, { windowBytes: 65_536 });
  const first = await still.next();
  expect(first.value).toMatchObject({ kind: "data", offset: 0 });
  expect((await wholeText(client.output(id))).length).toBe(20_000_000);
  expect(await client.process.wait({ ids: [id] })).toMatchObject({ outcome: "met" });
  // And it can go on from where it stands.
  let seen = first.value?.kind === "data" ? first.value.bytes.length : 0;
  for await (const event of still) if (event.kind === "data") seen += event.bytes.length;
  expect(seen).toBe(20_000_000);
});

test("output can be had from an offset, up to now, or from now on, and by name", async () => {
  const { home } = shared;
  const client = await connectedClient({ home });
  await client.process.start({ command: "echo first; read line; echo $line", stdin: "open", name: "asker" });
  await client.process.wait({ ids: ["asker"], for: { kind: "match", text: "first" } });
  expect(await wholeText(client.output("asker", { follow: false }))).toBe("first\n");
  expect(await wholeText(client.output("asker", { follow: false, from: 3 }), 3)).toBe("st\n");
  expect(await wholeText(client.output("asker", { follow: false, from: "end" }))).toBe("");
  await using attachment = await client.attach("asker", { from: "end" });
  const later = wholeText(attachment.output(), 6);
  await attachment.write("second\n");
  expect(await later).toBe("second\n");
});

test("both streams are told apart, with the time they came", async () => {
  const { home } = shared;
  const client = await connectedClient({ home });
  const before = Date.now();
  const { id } = await client.process.start({ command: "echo out; echo err >&2" });
  const seen: Record<string, string> = {};
  for await (const event of client.output(id)) {
    if (event.kind !== "data") continue;
    seen[event.stream] = Buffer.from(event.bytes).toString();
    expect(event.at).toBeGreaterThanOrEqual(before - 1_000);
    expect(event.at).toBeLessThanOrEqual(Date.now() + 1_000);
  }
  expect(seen).toEqual({ stdout: "out\n", stderr: "err\n" });
});

test("a terminal is typed into and resized over the same connection", async () => {
  const { home } = shared;
  const client = await connectedClient({ home });
  const { id } = await client.process.start({
    command: ["sh"],
    mode: "pty",
    columns: 80,
    rows: 24,
    stdin: "open",
  });
  await using attachment = await client.attach(id);
  attachment.resize(101, 37);
  await attachment.write("stty size; exit\n");
  let screen = "";
  for await (const event of attachment.output()) {
    if (event.kind === "data") screen += Buffer.from(event.bytes).toString();
  }
  expect(screen).toContain("37 101");
});

test("refusals: an unknown process, a closed stdin, a bad address", async () => {
  const { home, socketPath } = shared;
  const client = await connectedClient({ home });
  await expect(client.output("p_222222222222").next()).rejects.toMatchObject({ code: "PROCESS_NOT_FOUND" });
  const { id } = await client.process.start({ command: ["sleep", "60"] });
  for (const options of [{ from: Number.NaN }, { from: -1 }, { from: 0.5 }, { windowBytes: 0 }]) {
    const refusal = { code: "INVALID_ARGUMENT" };
    await expect(client.output(id, { ...options, follow: false }).next()).rejects.toMatchObject(refusal);
    await expect(client.attach(id, options)).rejects.toMatchObject(refusal);
  }
  await using attachment = await client.attach(id);
  await expect(attachment.write("x")).rejects.toMatchObject({ code: "STDIN_CLOSED" });
  const transport = new UnixTransport(socketPath);
  const socket = await transport.socket({ path: "/v1/process.output/live?from=-1", headers: {} });
  const message = JSON.parse(String(await socket.receive())) as unknown;
  expect(message).toMatchObject({ kind: "error", error: { code: "INVALID_ARGUMENT" } });
  expect(await socket.receive()).toBeUndefined();
  await expect(transport.socket({ path: "/v1/nothing", headers: {} })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  transport.close();
});

test("an abort ends the stream with the caller's reason", async () => {
  const { home } = shared;
  const client = await connectedClient({ home });
  const { id } = await client.process.start({ command: "echo ready; sleep 60" });
  const controller = new AbortController();
  const reason = new Error("enough");
  const stream = client.output(id, { signal: controller.signal });
  expect(await stream.next()).toMatchObject({ value: { kind: "data" } });
  const next = stream.next();
  controller.abort(reason);
  await expect(next).rejects.toBe(reason);
  const events = client.events({ signal: controller.signal });
  await expect(events.next()).rejects.toBe(reason);
});
