// Processes and their output as resources: holdfast://process/ID and holdfast://process/ID/output.
import { ResourceNotFoundError, type McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { isHoldfastError } from "../../protocol/errors.ts";
import { commandText, processFacts, stateText } from "../answer/describe-process.ts";
import { readWindow } from "../answer/output-window.ts";
import type { ToolCall } from "../tool-call.ts";

const scheme = "holdfast://process/";
const mostListed = 100;

export function processUri(id: string): string {
  return scheme + id;
}

export function outputUri(id: string): string {
  return `${scheme}${id}/output`;
}

/** No resource: by this address a subscription to a task passes the SDK. */
const taskScheme = "holdfast://task/";

export function taskUri(id: string): string {
  return taskScheme + id;
}

export function taskId(uri: unknown): string | undefined {
  return typeof uri === "string" && uri.startsWith(taskScheme) ? uri.slice(taskScheme.length) : undefined;
}

interface Target {
  readonly id: string;
  readonly isOutput: boolean;
}

function targetOf(uri: string): Target {
  const [, id, part] = /^holdfast:\/\/process\/([^/?#]{1,128})(\/output)?$/.exec(uri) ?? [];
  if (id === undefined) throw new ResourceNotFoundError(uri);
  return { id: decodeURIComponent(id), isOutput: part !== undefined };
}

interface ResourceOptions {
  readonly callOf: (context: ServerContext) => Promise<ToolCall>;
  /** The older eras ask for updates by requests; the current one by a stream, which the SDK serves. */
  readonly hasSubscribe: boolean;
}

export function addResources(mcp: McpServer, { callOf, hasSubscribe }: ResourceOptions): void {
  const { server } = mcp;
  server.setRequestHandler("resources/list", async (_request, context) => {
    const { operations, session, signal } = await callOf(context);
    const { processes } = await operations.call("process.list", { session, limit: mostListed }, { signal });
    return {
      resources: processes.flatMap((process) => {
        const name = process.name ?? process.id;
        const description = `${stateText(process)}: ${commandText(process)}`;
        return [
          { uri: processUri(process.id), name, description, mimeType: "application/json" },
          { uri: outputUri(process.id), name: `${name} output`, description, mimeType: "text/plain" },
        ];
      }),
    };
  });
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [
      {
        uriTemplate: `${scheme}{id}`,
        name: "process",
        description: "State, exit and working directory of a process.",
        mimeType: "application/json",
      },
      {
        uriTemplate: `${scheme}{id}/output`,
        name: "output",
        description: "What a process wrote; of a long output its beginning and its end.",
        mimeType: "text/plain",
      },
    ],
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, context) => {
    const contents = await readResource(await callOf(context), uri);
    return { contents: [{ uri, ...contents }] };
  });
  if (!hasSubscribe) return;
  for (const method of ["resources/subscribe", "resources/unsubscribe"] as const) {
    server.setRequestHandler(method, async ({ params: { uri } }, context) => {
      const { id, isOutput } = targetOf(uri);
      const wanted = subscriptionsOf(mcp);
      const known = isOutput ? outputUri(id) : processUri(id);
      if (method === "resources/unsubscribe") wanted.delete(known);
      else {
        await readResource(await callOf(context), processUri(id)); // there, and to be seen
        wanted.add(known);
      }
      return {};
    });
  }
}

const subscriptions = new WeakMap<McpServer, Set<string>>();

/** Of a connection of an older era. */
export function subscriptionsOf(mcp: McpServer): Set<string> {
  const found = subscriptions.get(mcp) ?? new Set<string>();
  subscriptions.set(mcp, found);
  return found;
}

async function readResource(call: ToolCall, uri: string): Promise<{ mimeType: string; text: string }> {
  const { id, isOutput } = targetOf(uri);
  const { operations, signal, budgetTokens } = call;
  try {
    if (isOutput) {
      const { text } = await readWindow(operations, { id, from: 0, budgetTokens, signal });
      return { mimeType: "text/plain", text };
    }
    const process = await operations.call("process.get", { id }, { signal });
    const facts = {
      ...processFacts(process),
      command: commandText(process),
      outputBytes: process.outputBytes,
    };
    return { mimeType: "application/json", text: JSON.stringify(facts) };
  } catch (error) {
    if (isHoldfastError(error, "PROCESS_NOT_FOUND", "PROCESS_AMBIGUOUS", "NOT_YOURS"))
      throw new ResourceNotFoundError(uri);
    throw error;
  }
}
