// What a client says of itself: per request in the current revision, once in the handshake of the older ones.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";

export type Envelope = Readonly<Record<string, unknown>>;

export function record(value: unknown): Envelope {
  return typeof value === "object" && value !== null ? (value as Envelope) : {};
}

/** As an envelope names it. */
export function clientOf(envelope: unknown): string | undefined {
  const { name } = record(record(envelope)[CLIENT_INFO_META_KEY]);
  return typeof name === "string" ? name : undefined;
}

export function clientNameOf(mcp: McpServer, context?: ServerContext): string | undefined {
  return clientOf(context?.mcpReq.envelope) ?? mcp.server.getClientVersion()?.name;
}

const tasksExtension = "io.modelcontextprotocol/tasks";

/** The tasks extension is a matter of each request, and only of the current revision. */
export function declaresTasksIn(envelope: unknown): boolean {
  const capabilities = record(record(envelope)[CLIENT_CAPABILITIES_META_KEY]);
  return record(capabilities["extensions"])[tasksExtension] !== undefined;
}

export function declaresTasks({ mcpReq }: ServerContext): boolean {
  return declaresTasksIn(mcpReq.envelope);
}

const channelName = "claude/channel";

/** Claude Code takes pushes where it was started for that; others say so. */
export function takesChannel(mcp: McpServer): boolean {
  const experimental = record(mcp.server.getClientCapabilities()?.experimental);
  return channelName in experimental || /^claude[- ]?code/i.test(clientNameOf(mcp) ?? "");
}

export { channelName, tasksExtension };
