// The same tools for programs that call a model themselves: plain function schemas.
import { inputSchemaOf, toolNames, toolTable, type JsonSchema, type ToolName } from "./tool-table.ts";

export interface AnthropicTool {
  readonly name: ToolName;
  readonly description: string;
  readonly input_schema: JsonSchema;
}

export interface OpenAiTool {
  readonly type: "function";
  readonly function: {
    readonly name: ToolName;
    readonly description: string;
    readonly parameters: JsonSchema;
  };
}

/** For `tools` of Anthropic's messages. */
export function anthropicTools(): AnthropicTool[] {
  return toolNames.map((name) => ({
    name,
    description: toolTable[name].description,
    input_schema: inputSchemaOf(name),
  }));
}

/** For `tools` of OpenAI's chat completions, and of the many that speak as it does. */
export function openAiTools(): OpenAiTool[] {
  return toolNames.map((name) => ({
    type: "function",
    function: { name, description: toolTable[name].description, parameters: inputSchemaOf(name) },
  }));
}
