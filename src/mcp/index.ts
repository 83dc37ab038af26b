// The door of the MCP server and of the tools it has.
export { createHttpHandler, type McpHttp } from "./http-handler.ts";
export type { McpHost } from "./host.ts";
export { projectRoot, sessionKey } from "./session-key.ts";
export { serveStdio, type StdioOptions } from "./serve-stdio.ts";
export type { StartDefaults, ToolCall } from "./tool-call.ts";
export {
  charactersPerToken,
  defaultResultTokens,
  tokensOfAnswer,
  type ToolAnswer,
} from "./answer/tool-answer.ts";
export { inputSchemaOf, toolNames, toolTable, type ToolName } from "./tools/tool-table.ts";
