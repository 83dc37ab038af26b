// What a tool answers with. A model is shown either the text or the structured content, depending on its client (most show only
// the structured one where there is one), so each of them tells everything and each of them fits the budget.
import type { ApprovalView } from "../../protocol/policy.ts";

export interface ToolAnswer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  /** Instead of an answer: the person at the client is asked, and the call is made again. */
  readonly asks?: ApprovalView;
}

/** The common estimate for English, code and logs. */
export const charactersPerToken = 4;
export const defaultResultTokens = 8_000;
export const leastResultTokens = 500;

export function tokensOf(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** Tokens of the larger of the two forms: what a model is shown at most. */
export function tokensOfAnswer({ text, structured }: ToolAnswer): number {
  return Math.max(tokensOf(text), tokensOf(JSON.stringify(structured)));
}

export function answer(
  lines: readonly (string | undefined)[],
  structured: Readonly<Record<string, unknown>>,
): ToolAnswer {
  return {
    text: lines.filter((line) => line !== undefined && line !== "").join("\n"),
    structured,
    isError: false,
  };
}
