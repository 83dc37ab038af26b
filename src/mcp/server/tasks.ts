// The Tasks extension (io.modelcontextprotocol/tasks, SEP-2663): a command that takes longer than a moment is a task. Its id is the
// process's id, so it is as durable as that: known before the answer, and after any restart.
import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { isHoldfastError } from "../../protocol/errors.ts";
import type { ProcessView } from "../../protocol/process.ts";
import { stateText } from "../answer/describe-process.ts";
import { callTool } from "../call-tool.ts";
import { terminalAnswer } from "../terminal.ts";
import type { ToolCall } from "../tool-call.ts";
import { declaresTasks, tasksExtension } from "./client-facts.ts";
import { toResult } from "./to-result.ts";

// What is done by then needs no task.
const momentSeconds = 1;
const pollIntervalMs = 1_000;

type Status = "working" | "completed" | "cancelled";

function statusOf({ state, stopReason }: ProcessView): Status {
  if (state !== "ended") return "working";
  return stopReason === "user" ? "cancelled" : "completed";
}

export function taskOf(process: ProcessView): Record<string, unknown> {
  return {
    taskId: process.id,
    status: statusOf(process),
    statusMessage: stateText(process),
    createdAt: process.createdAt,
    lastUpdatedAt: process.endedAt ?? process.startedAt ?? process.createdAt,
    // As long as the process is remembered, which retention decides.
    ttlMs: null,
    pollIntervalMs,
  };
}

/** Waits a moment; what goes on then is answered as a task. */
export async function runAsTask(
  given: unknown,
  callOf: (session?: string) => Promise<ToolCall>,
): Promise<CallToolResult | InputRequiredResult> {
  const call = Promise.withResolvers<ToolCall>();
  const args = typeof given === "object" && given !== null ? given : {};
  const short = { ...args, timeout: momentSeconds };
  const told = await callTool("terminal", short, async (session) => {
    const made = await callOf(session);
    call.resolve(made);
    return made;
  });
  const { id, state } = told.structured;
  const isBackground =
    told.isError || state === "ended" || (args as { background?: unknown }).background === true;
  if (isBackground || typeof id !== "string") return toResult(told);
  const { operations } = await call.promise;
  const process = await operations.call("process.get", { id });
  // The SDK adds an empty `content`, which clients of tasks ignore.
  return { resultType: "task", ...taskOf(process), content: [] };
}

const params = z.object({ taskId: z.string().min(1).max(128) });
const updateParams = params.extend({ inputResponses: z.record(z.string(), z.unknown()).optional() });

export function addTasks(mcp: McpServer, callOf: (context: ServerContext) => Promise<ToolCall>): void {
  const { server } = mcp;
  server.setRequestHandler("tasks/get", { params }, async ({ taskId }, context) => {
    const call = await declaredCall(context, callOf);
    const process = await findTask(call, taskId);
    if (process.state !== "ended") return taskOf(process);
    const told = await terminalAnswer(
      call,
      { process, waitedMs: process.uptimeMs },
      { isBackground: false, notes: [] },
    );
    return { ...taskOf(process), ...(statusOf(process) === "completed" ? { result: toResult(told) } : {}) };
  });
  server.setRequestHandler("tasks/update", { params: updateParams }, async ({ taskId }, context) => {
    // A command asks for nothing through the protocol: what it wants to read is typed with `process`.
    await findTask(await declaredCall(context, callOf), taskId);
    return {};
  });
  server.setRequestHandler("tasks/cancel", { params }, async ({ taskId }, context) => {
    const call = await declaredCall(context, callOf);
    const { id } = await findTask(call, taskId);
    // Only acknowledged: its end is seen by asking.
    void call.operations.call("process.stop", { ids: [id] }).catch(() => undefined);
    return {};
  });
}

async function declaredCall(
  context: ServerContext,
  callOf: (context: ServerContext) => Promise<ToolCall>,
): Promise<ToolCall> {
  if (declaresTasks(context)) return await callOf(context);
  throw new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [tasksExtension]: {} } },
  });
}

/** Only a whole id: a task's id is a secret, not something to be guessed from its beginning. */
async function findTask({ operations, signal }: ToolCall, taskId: string): Promise<ProcessView> {
  try {
    const process = await operations.call("process.get", { id: taskId }, { signal });
    if (process.id === taskId) return process;
  } catch (error) {
    if (!isHoldfastError(error, "PROCESS_NOT_FOUND", "PROCESS_AMBIGUOUS", "NOT_YOURS")) throw error;
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown task: ${taskId}`);
}
