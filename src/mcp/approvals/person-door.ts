// How the person at a client is asked for their word: as a form that the client shows. What it shows is ours; of the command it only
// quotes, so that a command cannot pose as the question.
import { z } from "zod";
import type { Operations } from "../../protocol/operations.ts";
import type { ApprovalView } from "../../protocol/policy.ts";
import { quoteWord } from "../../protocol/quoted-text.ts";

/** Not `always`: that is said where the rules can be seen. */
const answers = ["once", "session", "deny"] as const;
export type PersonAnswer = (typeof answers)[number];

export interface Said {
  readonly approval: string;
  readonly answer: PersonAnswer;
  readonly note?: string;
}

export interface PersonDoor {
  /** Where they say it: for the record. */
  readonly via: string;
  /** What they said since the call was made first; it came with the call, made again. */
  readonly said: Said | undefined;
  /** Asks while the call waits. Undefined: the call is answered by the question, and made again with what they say. */
  readonly ask: ((approval: ApprovalView, signal: AbortSignal) => Promise<Said>) | undefined;
  /** Not asked for the session: what a person says is not the agent's. */
  readonly operations: Operations;
}

const contentSchema = z.object({ answer: z.enum(answers) });

/** What a client tells of its form. Only an answer that can be read allows anything: to decline or to close the form is a no. */
export function readSaid(
  approval: string,
  { action, content }: { readonly action: string; readonly content?: unknown },
): Said {
  if (action !== "accept") return { approval, answer: "deny", note: `The form was closed (${action}).` };
  const read = contentSchema.safeParse(content);
  if (read.success) return { approval, answer: read.data.answer };
  return { approval, answer: "deny", note: "What was filled in cannot be read." };
}

const mostCommandCharacters = 1_000;
const mostReasons = 5;

/** Plain JSON Schema of the older revisions' form: every client with forms knows it. */
export function questionOf({ id, command, cwd, reasons, expiresAt }: ApprovalView): {
  message: string;
  requestedSchema: {
    type: "object";
    properties: { answer: { type: "string"; title: string; description: string; enum: string[] } };
    required: string[];
  };
} {
  const why = reasons
    .slice(0, mostReasons)
    .map(({ rule, text }) => `${quoteWord(rule, 100)} (${quoteWord(text, 200)})`);
  return {
    message: [
      "An agent wants to run a command that the policy asks about.",
      `Command: ${quoteWord(command, mostCommandCharacters)}`,
      `Directory: ${quoteWord(cwd, mostCommandCharacters)}`,
      `Asked by: ${why.join("; ")}`,
      `Approval ${id}, open until ${expiresAt}.`,
    ].join("\n"),
    requestedSchema: {
      type: "object",
      properties: {
        answer: {
          type: "string",
          title: "May it run?",
          description: "once: this command; session: these rules do not ask again in this session; deny: no",
          enum: [...answers],
        },
      },
      required: ["answer"],
    },
  };
}
