// Pushes notices into a session of Claude Code as they come. A push is a courtesy: the client may drop it without a word, so the notice
// stays unseen until it is read with the tool, and says so.
import type { McpServer } from "@modelcontextprotocol/server";
import type { McpHost } from "../host.ts";

export async function pushNotices(
  mcp: McpServer,
  host: McpHost,
  { session, signal }: { readonly session: string; readonly signal: AbortSignal },
): Promise<void> {
  try {
    for await (const { id, kind, processId, state, observed, text } of host.notices(session, signal)) {
      if (state !== "pending" || observed) continue; // seen already, in an answer of a tool
      await mcp.server.notification({
        method: "notifications/claude/channel",
        params: {
          content: text,
          meta: {
            source: "holdfast",
            notice: id,
            kind,
            ...(processId === null ? {} : { process: processId }),
          },
        },
      });
    }
  } catch (error) {
    if (!signal.aborted) host.report("Pushes into the client have ended.", error);
  }
}
