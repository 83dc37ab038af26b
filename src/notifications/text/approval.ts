// The text of notices about approvals: who must answer, and how.
import { z } from "zod";
import type { NoticeRecord } from "../../store/index.ts";
import { textField } from "./data-field.ts";
import { quoteWord } from "./quoted.ts";

const commandCharacters = 300;
const reasonsSchema = z.array(z.object({ rule: z.string(), text: z.string() })).catch([]);

export function approvalLines(
  { kind, data, route }: NoticeRecord,
  redact: (text: string) => string,
): string[] {
  const id = textField(data, "approval");
  const facts = [
    `command: ${quoteWord(redact(textField(data, "command")), commandCharacters)}`,
    `in: ${quoteWord(textField(data, "cwd"), commandCharacters)}`,
  ];
  if (kind === "approval.answered") return [...answeredLines(data, id), ...facts];
  const whose = route.session === null ? "" : ` Session ${quoteWord(route.session, 100)} waits for it.`;
  const reasons = reasonsSchema.parse(data["reasons"]);
  return [
    `A person must decide about a command: approval ${id}, until ${textField(data, "expiresAt")}.${whose}`,
    ...facts,
    ...reasons.map(({ rule, text }) => `why: ${quoteWord(rule, 100)}: ${quoteWord(redact(text), 200)}`),
    `answer, as a person: holdfast approvals answer ${id} once|session|always|deny`,
  ];
}

function answeredLines(data: NoticeRecord["data"], id: string): string[] {
  const by = quoteWord(textField(data, "answeredBy"), 100);
  const note = textField(data, "note");
  const said = note === "" ? [] : [`they say: ${quoteWord(note, 500)}`];
  return data["answer"] === "deny"
    ? [`Approval ${id} was refused by ${by}: the command does not run.`, ...said]
    : [`Approval ${id} was given by ${by}: ${nextText(data)}.`, ...said];
}

function nextText(data: NoticeRecord["data"]): string {
  return data["missed"] === false ? "the command runs" : "ask for the same command again, and it runs";
}
