// One call of a tool: reads the arguments as generously as they mean something, runs it, and answers, whatever happens.
import type { z } from "zod";
import { HoldfastError } from "../protocol/errors.ts";
import { quoteWord } from "../protocol/quoted-text.ts";
import { close, closeView, kill, rename, signal } from "./actions/change.ts";
import { list } from "./actions/list.ts";
import { log } from "./actions/log.ts";
import { poll } from "./actions/poll.ts";
import { screen } from "./actions/screen.ts";
import { search } from "./actions/search.ts";
import { wait } from "./actions/wait.ts";
import { submit, write } from "./actions/write.ts";
import { failureAnswer } from "./answer/failure.ts";
import type { ToolAnswer } from "./answer/tool-answer.ts";
import { notifications } from "./notifications.ts";
import { terminal } from "./terminal.ts";
import type { ToolCall } from "./tool-call.ts";
import { actionNamed, type ProcessAction } from "./tools/familiar-names.ts";
import { actionList, type ProcessInput } from "./tools/process-input.ts";
import { toolNames, toolTable, type ToolDefinition, type ToolName } from "./tools/tool-table.ts";

const actions: Readonly<Record<ProcessAction, (call: ToolCall, input: ProcessInput) => Promise<ToolAnswer>>> =
  {
    list,
    poll,
    log,
    wait,
    kill,
    write,
    submit,
    close,
    screen,
    search,
    signal,
    rename,
    close_view: closeView,
  };

async function processTool(call: ToolCall, input: ProcessInput): Promise<ToolAnswer> {
  const action = actionNamed(input.action);
  if (action === undefined) {
    throw new HoldfastError("INVALID_ARGUMENT", `There is no action "${input.action}".`, {
      hint: `Use one of: ${actionList}.`,
    });
  }
  return await actions[action](call, { ...input, action });
}

/** @throws HoldfastError INVALID_ARGUMENT */
function parse<Schema extends z.ZodObject>(
  { input, readArguments }: ToolDefinition<Schema>,
  given: unknown,
): { readonly parsed: z.output<Schema>; readonly ignored: readonly string[] } {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new HoldfastError("INVALID_ARGUMENT", "The arguments are no object.", {
      hint: `Give an object with: ${Object.keys(input.shape).join(", ")}.`,
    });
  }
  const named = readArguments(given as Record<string, unknown>); // an object, as was just seen
  const result = input.safeParse(named);
  if (!result.success) throw invalid(result.error);
  return {
    parsed: result.data,
    ignored: Object.keys(named).filter((name) => !Object.hasOwn(input.shape, name)),
  };
}

function invalid(error: z.ZodError): HoldfastError {
  const problems = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  return new HoldfastError("INVALID_ARGUMENT", problems.join("; "), {
    hint: "Correct these arguments and call again.",
  });
}

async function run(
  name: ToolName,
  given: unknown,
  callOf: (session: string | undefined) => Promise<ToolCall>,
): Promise<ToolAnswer> {
  switch (name) {
    case "terminal": {
      const { parsed, ignored } = parse(toolTable.terminal, given);
      return withIgnored(await terminal(await callOf(parsed.session), parsed), ignored);
    }
    case "process": {
      const { parsed, ignored } = parse(toolTable.process, given);
      return withIgnored(await processTool(await callOf(parsed.session), parsed), ignored);
    }
    default: {
      const { parsed, ignored } = parse(toolTable.notifications, given);
      return withIgnored(await notifications(await callOf(parsed.session), parsed), ignored);
    }
  }
}

// Descriptions of a call, which some clients add.
const silentlyIgnored = new Set(["description", "explanation", "reason", "_meta"]);

/** A misspelt argument must not look as if it had been heeded. */
function withIgnored(told: ToolAnswer, ignored: readonly string[]): ToolAnswer {
  const unknown = ignored.filter((name) => !silentlyIgnored.has(name));
  if (unknown.length === 0) return told;
  const names = quoteWord(unknown.join(", "), 200);
  return {
    ...told,
    text: `${told.text}\nUnknown arguments, ignored: ${names}`,
    structured: { ...told.structured, ignored: names },
  };
}

/** Never throws: what goes wrong is told to the model. */
export async function callTool(
  name: string,
  given: unknown,
  callOf: (session: string | undefined) => Promise<ToolCall>,
): Promise<ToolAnswer> {
  try {
    const known = toolNames.find((candidate) => candidate === name);
    if (known !== undefined) return await run(known, given ?? {}, callOf);
    throw new HoldfastError("NOT_FOUND", `There is no tool "${name}".`, {
      hint: `Use one of: ${toolNames.join(", ")}.`,
    });
  } catch (error) {
    return failureAnswer(error);
  }
}
