// Notices as they come, through restarts of the daemon: by cursor, without a gap and without a repetition.
import type { NoticeChange, NoticeFilter, NoticeWithText } from "../protocol/notices.ts";
import { isLoss } from "./outage.ts";
import { errorFromBody, parseObject } from "./remote-error.ts";
import { resumedMessages, type StreamDoor } from "./resumed-messages.ts";

export interface NoticesOptions extends NoticeFilter {
  /** The last cursor you have seen; default: only what comes from now on. */
  readonly after?: number | undefined;
  /** Also those that nobody is owed. */
  readonly recorded?: boolean | undefined;
  /** Told what becomes of any notice, of those before the cursor too. Not told to a session. */
  readonly onChange?: ((changes: readonly NoticeChange[]) => void) | undefined;
  /** There is a connection, the first or another one: what became of notices before is in the list only. */
  readonly onOpen?: (() => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** @throws DAEMON_UNREACHABLE when the daemon stays away, or the signal's reason */
export async function* noticeStream(
  door: StreamDoor,
  begin: () => Promise<number>,
  options: NoticesOptions,
): AsyncGenerator<NoticeWithText, void, undefined> {
  // Asked once: a stream that is cut off before its first notice must come back to where it began.
  let last = options.after ?? (await begin());
  const path = (): string => `/v1/notifications?${queryOf(options, last)}`;
  const onOpen = (): void => options.onOpen?.();
  for await (const text of resumedMessages(door, { path, onOpen, signal: options.signal })) {
    const message = typeof text === "string" ? readMessage(text) : undefined;
    if (message?.kind === "settled") options.onChange?.(message.notices);
    if (message?.kind !== "notice" || message.notice.cursor <= last) continue;
    last = message.notice.cursor;
    yield message.notice;
  }
}

function queryOf(options: NoticesOptions, after: number): string {
  const query = new URLSearchParams({ after: String(after) });
  for (const name of ["session", "task", "profile", "process"] as const) {
    const value = options[name];
    if (value !== undefined) query.set(name, value);
  }
  if (options.kinds !== undefined) query.set("kinds", options.kinds.join(","));
  if (options.recorded === true) query.set("recorded", "1");
  return query.toString();
}

type Message =
  | { readonly kind: "notice"; readonly notice: NoticeWithText }
  | { readonly kind: "settled"; readonly notices: readonly NoticeChange[] };

/** Undefined for an error that a new connection mends. A newer daemon may send other kinds. */
function readMessage(text: string): Message | undefined {
  const message = parseObject(text);
  if (message?.["kind"] !== "error") return message as Message | undefined; // made by the same file of the protocol
  const error = errorFromBody(message["error"] ?? {});
  if (isLoss(error)) return undefined;
  throw error;
}
