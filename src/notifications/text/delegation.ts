// A finished delegation in one self-contained block: items by index, each with its mark.
import type { DelegationItem, DelegationView } from "../../protocol/delegations.ts";
import { textField } from "./data-field.ts";
import { durationText } from "./how-it-ended.ts";
import { quoteLines, quoteWord } from "./quoted.ts";

const marks: Readonly<Record<DelegationItem["status"], string>> = {
  completed: "✓",
  failed: "✗",
  interrupted: "⚠",
  running: "…",
};
const itemCharacters = 8_000;

/** Everything a reader needs who remembers nothing of it. */
export function delegationReport(view: DelegationView): string {
  const { items, error } = view;
  const facts = [
    `started: ${view.startedAt}`,
    ...(view.context === undefined ? [] : [`context: ${view.context}`]),
    ...(view.role === undefined ? [] : [`role: ${view.role}`]),
    ...(view.model === undefined ? [] : [`model: ${view.model}`]),
    ...(view.toolsets.length === 0 ? [] : [`toolsets: ${view.toolsets.join(", ")}`]),
    ...(error === null ? [] : [`error: ${error}`]),
  ];
  const hasResult = items.some(({ status, summary }) => status === "completed" || summary !== undefined);
  const whole = hasResult ? [] : ["no item has a result"];
  return [...facts, ...whole, ...items.toSorted((a, b) => a.index - b.index).map(itemText)].join("\n");
}

function itemText(item: DelegationItem): string {
  const { index, goal, status, summary, error, durationMs, apiCalls } = item;
  const cost = [
    ...(durationMs === undefined ? [] : [durationText(durationMs)]),
    ...(apiCalls === undefined ? [] : [`${apiCalls} API calls`]),
  ].join(", ");
  const head = `${marks[status]} ${index}. ${goal} (${status}${cost === "" ? "" : `, ${cost}`})`;
  const partial = status === "interrupted" ? "as far as it got: " : "";
  return [
    head,
    ...(summary === undefined ? [] : [cut(`${partial}${summary}`)]),
    ...(error === undefined ? [] : [cut(`error: ${error}`)]),
  ].join("\n");
}

function cut(text: string): string {
  if (text.length <= itemCharacters) return text;
  const half = itemCharacters / 2;
  return `${text.slice(0, half)}\n[… ${text.length - itemCharacters} characters left out …]\n${text.slice(-half)}`;
}

export function delegationText(
  data: Readonly<Record<string, unknown>>,
  redact: (text: string) => string,
): string {
  const goal = quoteWord(redact(textField(data, "goal")), 500);
  const head = `Delegation ${textField(data, "id")} is ${textField(data, "state")}: ${goal}`;
  return [head, quoteLines(redact(textField(data, "report")))].join("\n");
}
