// A tool's answer on the wire.
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ToolAnswer } from "../answer/tool-answer.ts";

export function toResult({ text, structured, isError }: ToolAnswer): CallToolResult {
  return {
    content: [{ type: "text", text }],
    structuredContent: { ...structured },
    ...(isError ? { isError } : {}),
  };
}
