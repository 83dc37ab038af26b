// The tool `notifications`: what this session has not seen. It counts as seen when the answer is out.
import { outputCharacters } from "./answer/output-window.ts";
import { answer, type ToolAnswer } from "./answer/tool-answer.ts";
import { fitting } from "./actions/list.ts";
import type { ToolCall } from "./tool-call.ts";
import type { NotificationsInput } from "./tools/notifications-input.ts";

const defaultNotices = 20;

export async function notifications(call: ToolCall, input: NotificationsInput): Promise<ToolAnswer> {
  const { operations, session, signal } = call;
  const { notices, pending } = await operations.call(
    "notifications.list",
    { session, unread: true, limit: input.limit ?? defaultNotices },
    { signal },
  );
  const most = outputCharacters(call.budgetTokens);
  const shown = fitting(notices, most, ({ text }) => JSON.stringify(text).length + 120);
  if (input.keep !== true && shown.length > 0) {
    void acknowledge(
      call,
      shown.map(({ id }) => id),
    );
  }
  const left = Math.max(0, pending - shown.length);
  return answer(
    [
      shown.length === 0 ? "Nothing new." : undefined,
      ...shown.map(({ text, at }) => `${at}\n${text}`),
      left > 0 ? `${left} more: ask again.` : undefined,
    ],
    {
      notices: shown.map(({ id, kind, at, processId, text }) => ({ id, kind, at, processId, text })),
      left,
    },
  );
}

/** Not acknowledged means told again: a failure here loses nothing. */
async function acknowledge({ answered, operations }: ToolCall, notices: string[]): Promise<void> {
  if (!(await answered())) return;
  await operations.call("notifications.acknowledge", { notices }).catch(() => undefined);
}
