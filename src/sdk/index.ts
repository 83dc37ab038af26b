// The package: import { connect, createRuntime } from "holdfast".
export { createRuntime } from "./create-runtime.ts";
export type { EmbeddedRuntime, RuntimeOptions } from "./create-runtime.ts";
export { connect } from "../client/node.ts";
export type { ConnectOptions } from "../client/node.ts";
export { Attachment, Client } from "../client/index.ts";
export type { AttachOptions, EventsOptions, OutputStreamOptions } from "../client/index.ts";
export { acpSessionKey, acpTerminals } from "../acp/terminals.ts";
export type { AcpTerminals, AcpTerminalsOptions } from "../acp/terminals.ts";
// Not through the door of mcp: that loads the MCP SDK, which these do not need.
export { agentTools } from "../mcp/agent-tools.ts";
export type { AgentTools, AgentToolsOptions, AiSdkTool } from "../mcp/agent-tools.ts";
export type { ToolAnswer } from "../mcp/answer/tool-answer.ts";
export { anthropicTools, openAiTools } from "../mcp/tools/function-schemas.ts";
export type { AnthropicTool, OpenAiTool } from "../mcp/tools/function-schemas.ts";
export type { ToolName } from "../mcp/tools/tool-table.ts";
export { errorRegistry, HoldfastError, isHoldfastError } from "../protocol/errors.ts";
export type { ErrorCode } from "../protocol/errors.ts";
export type { Event, EventKind } from "../protocol/events.ts";
export type { LiveOutput } from "../protocol/live-output.ts";
export type { LockAcquired, LockOwner, LockState, LockView } from "../protocol/locks.ts";
export type { OperationInput, OperationName, OperationOutput } from "../protocol/operations.ts";
export type {
  Lifetime,
  ProcessDetail,
  ProcessExit,
  ProcessMode,
  ProcessState,
  ProcessView,
} from "../protocol/process.ts";
export type { DaemonUsage, MachineUsage, ProcessUsage, TreeProcess, UsageUpdate } from "../protocol/usage.ts";
export type { Condition, WaitOutput } from "../protocol/wait.ts";
