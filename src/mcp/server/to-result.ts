// A tool's answer on the wire.
import { inputRequired, type CallToolResult, type InputRequiredResult } from "@modelcontextprotocol/server";
import type { ToolAnswer } from "../answer/tool-answer.ts";
import { questionOf } from "../approvals/person-door.ts";

export function toResult({
  text,
  structured,
  isError,
  asks,
}: ToolAnswer): CallToolResult | InputRequiredResult {
  // By its id: what is said comes back under it.
  if (asks !== undefined)
    return inputRequired({ inputRequests: { [asks.id]: inputRequired.elicit(questionOf(asks)) } });
  return {
    content: [{ type: "text", text }],
    structuredContent: { ...structured },
    ...(isError ? { isError } : {}),
  };
}
