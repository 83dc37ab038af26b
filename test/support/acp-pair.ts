// Both ends of ACP by the official SDK, over bytes: an editor whose terminals are Holdfast's, and an agent that uses them.
import { agent, client, ndJsonStream, RequestError, type AgentContext } from "@agentclientprotocol/sdk";
import { onTestFinished } from "vitest";
import { acpTerminals, type AcpTerminalsOptions } from "../../src/sdk/index.ts";
import type { Client } from "../../src/client/index.ts";

export function openAcpPair(holdfast: Client, options: AcpTerminalsOptions = {}): AgentContext {
  const terminals = acpTerminals(holdfast, { RequestError, ...options });
  const editor = client({ name: "editor" })
    .onRequest("terminal/create", terminals["terminal/create"])
    .onRequest("terminal/output", terminals["terminal/output"])
    .onRequest("terminal/wait_for_exit", terminals["terminal/wait_for_exit"])
    .onRequest("terminal/kill", terminals["terminal/kill"])
    .onRequest("terminal/release", terminals["terminal/release"]);
  const toAgent = new TransformStream<Uint8Array, Uint8Array>();
  const toEditor = new TransformStream<Uint8Array, Uint8Array>();
  const ends = [
    editor.connect(ndJsonStream(toAgent.writable, toEditor.readable)),
    agent({ name: "agent" }).connect(ndJsonStream(toEditor.writable, toAgent.readable)),
  ] as const;
  onTestFinished(() => {
    for (const end of ends) end.close();
  });
  return ends[1].client;
}
