import * as fc from "fast-check";
import { expect, test } from "vitest";
import { AcpRelay } from "./relay.ts";

interface Ends {
  readonly relay: AcpRelay;
  readonly toEditor: string[];
  readonly toAgent: string[];
}

/** A relay that must not need the daemon. */
function openRelay(): Ends {
  const [toEditor, toAgent]: [string[], string[]] = [[], []];
  const relay = new AcpRelay({
    operations: () => {
      throw new Error("nobody asked for a terminal");
    },
    viewer: { command: "", args: [], env: [] },
    toEditor: (bytes) => Promise.resolve(void toEditor.push(bytes.toString())),
    toAgent: (bytes) => Promise.resolve(void toAgent.push(bytes.toString())),
  });
  return { relay, toEditor, toAgent };
}

function line(text: string): { bytes: Buffer; isLine: boolean } {
  return { bytes: Buffer.from(`${text}\n`), isLine: true };
}

async function handshake({ relay, toAgent, toEditor }: Ends, version = 1): Promise<void> {
  const request = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: version } };
  await relay.fromEditor(line(JSON.stringify(request)));
  await relay.fromAgent(
    line(JSON.stringify({ jsonrpc: "2.0", id: 0, result: { protocolVersion: version } })),
  );
  toAgent.length = 0;
  toEditor.length = 0;
}

const method = fc.constantFrom(
  "session/prompt",
  "session/update",
  "fs/read_text_file",
  "$/cancel_request",
  "_x/y",
  "terminal/unknown",
);
const message = fc.oneof(
  fc.string(),
  fc.json(),
  fc
    .record({
      jsonrpc: fc.constant("2.0"),
      id: fc.oneof(fc.nat(), fc.string(), fc.constant(null)),
      result: fc.jsonValue(),
    })
    .map((value) => JSON.stringify(value)),
  fc
    .record({ jsonrpc: fc.constant("2.0"), method, params: fc.jsonValue() })
    .map((value) => JSON.stringify(value, undefined, 1).replaceAll("\n", " ")),
  fc
    .record({
      id: fc.nat(),
      method,
      params: fc.record({ sessionId: fc.string(), update: fc.jsonValue(), toolCall: fc.jsonValue() }),
    })
    .map((value) => JSON.stringify(value)),
);

test("whatever is not about terminals passes both ways, byte for byte and in order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message), async (messages) => {
      const ends = openRelay();
      await handshake(ends);
      for (const text of messages) {
        await ends.relay.fromEditor(line(text));
        await ends.relay.fromAgent(line(text));
      }
      const lines = messages.map((text) => `${text}\n`);
      expect(ends.toAgent).toEqual(lines);
      expect(ends.toEditor).toEqual(lines);
    }),
  );
});

test("what an agent is told of the editor keeps all the editor said", async () => {
  const { relay, toAgent } = openRelay();
  const params = {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: true }, _meta: { a: 1 } },
    clientInfo: { name: "e" },
  };
  await relay.fromEditor(line(JSON.stringify({ jsonrpc: "2.0", id: "i", method: "initialize", params })));
  expect(JSON.parse(toAgent[0] ?? "")).toEqual({
    jsonrpc: "2.0",
    id: "i",
    method: "initialize",
    params: { ...params, clientCapabilities: { ...params.clientCapabilities, terminal: true } },
  });
});

test("before the handshake, and for another version, terminal methods pass to the editor", async () => {
  const create = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "terminal/create",
    params: { sessionId: "s", command: "true" },
  });
  const early = openRelay();
  await early.relay.fromAgent(line(create));
  expect(early.toEditor).toEqual([`${create}\n`]);
  const later = openRelay();
  await handshake(later, 2);
  await later.relay.fromAgent(line(create));
  expect(later.toEditor).toEqual([`${create}\n`]);
});
