// One MCP server: the same tools and resources for both eras and both transports.
import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import { callTool } from "../call-tool.ts";
import { inputSchemaOf, isToolName, toolNames, toolTable } from "../tools/tool-table.ts";
import type { ToolCall } from "../tool-call.ts";
import { channelName, clientNameOf, declaresTasks, tasksExtension } from "./client-facts.ts";
import type { Connection } from "./connection.ts";
import { personDoor } from "./elicitation.ts";
import { instructions } from "./instructions.ts";
import { addResources } from "./resources.ts";
import { addTasks, runAsTask } from "./tasks.ts";
import { toResult } from "./to-result.ts";

export interface ServerChoice {
  readonly era: "legacy" | "modern";
  /** Messages may come from the server at any time: stdio, not HTTP. */
  readonly isLasting: boolean;
  /** The session a header names. */
  readonly given?: string | undefined;
  /** The connection a request came by, where the client is no child's parent: over HTTP. */
  readonly client?: (() => object) | undefined;
  /** Told whose calls come. */
  readonly onCall?: (session: string) => void;
  /** Resolves when the answer to a request is out. */
  readonly answered: (requestId: string | number) => Promise<boolean>;
}

export function createServer(connection: Connection, choice: ServerChoice): McpServer {
  const { version } = connection.host;
  const isModern = choice.era === "modern";
  const mcp = new McpServer(
    { name: "holdfast", title: "Holdfast", version },
    {
      instructions,
      capabilities: {
        tools: {},
        resources: isModern || choice.isLasting ? { subscribe: true, listChanged: true } : {},
        ...(isModern ? { extensions: { [tasksExtension]: {} } } : {}),
        ...(choice.isLasting ? { experimental: { [channelName]: {} } } : {}),
      },
    },
  );
  const callOf = (context: ServerContext, session?: string): Promise<ToolCall> => {
    choice.onCall?.(connection.sessionOf({ given: choice.given, clientName: clientNameOf(mcp, context) }));
    return connection.call({
      session,
      given: choice.given,
      clientName: clientNameOf(mcp, context),
      signal: context.mcpReq.signal,
      progress: progressOf(context),
      person: personDoor(mcp, context, { isModern, operations: connection.host.personal(choice.client) }),
      answered: () => choice.answered(context.mcpReq.id),
    });
  };
  mcp.server.setRequestHandler("tools/list", () => ({
    tools: toolNames.map((name) => {
      const { title, description, annotations } = toolTable[name];
      return { name, title, description, inputSchema: objectSchema(inputSchemaOf(name)), annotations };
    }),
  }));
  mcp.server.setRequestHandler(
    "tools/call",
    async ({ params }, context): Promise<CallToolResult | InputRequiredResult> => {
      const { name, arguments: given } = params;
      if (!isToolName(name))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
      const forSession = (session?: string): Promise<ToolCall> => callOf(context, session);
      if (isModern && name === "terminal" && declaresTasks(context))
        return await runAsTask(given, forSession);
      return toResult(await callTool(name, given, forSession));
    },
  );
  addResources(mcp, { callOf, hasSubscribe: choice.isLasting && !isModern });
  if (isModern) addTasks(mcp, callOf);
  return mcp;
}

function objectSchema(
  schema: Readonly<Record<string, unknown>>,
): { type: "object" } & Record<string, unknown> {
  return { ...schema, type: "object" };
}

/** Only to a client that gave a token for it. */
function progressOf({ mcpReq }: ServerContext): ToolCall["progress"] {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress, total, message) => {
    // A client that is gone learns nothing: the call itself ends by its signal.
    void mcpReq
      .notify({ method: "notifications/progress", params: { progressToken, progress, total, message } })
      .catch(() => undefined);
  };
}
