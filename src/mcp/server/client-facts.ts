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

function envelopeOf(context: ServerContext): Envelope {
  return record(context.mcpReq.envelope);
}

export function clientNameOf(mcp: McpServer, context?: ServerContext): string | undefined {
  const told = context === undefined ? undefined : record(envelopeOf(context)[CLIENT_INFO_META_KEY])["name"];
  if (typeof told === "string") return told;
  return mcp.server.getClientVersion()?.name;
}

const tasksExtension = "io.modelcontextprotocol/tasks";

/** The tasks extension is a matter of each request, and only of the current revision. */
export function declaresTasks(context: ServerContext): boolean {
  const capabilities = record(envelopeOf(context)[CLIENT_CAPABILITIES_META_KEY]);
  return record(capabilities["extensions"])[tasksExtension] !== undefined;
}

const channelName = "claude/channel";

/** Claude Code takes pushes where it was started for that; others say so. */
export function takesChannel(mcp: McpServer): boolean {
  const experimental = record(mcp.server.getClientCapabilities()?.experimental);
  return channelName in experimental || /^claude[- ]?code/i.test(clientNameOf(mcp) ?? "");
}

export { channelName, tasksExtension };
