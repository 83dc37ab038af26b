// Notices as they come, through restarts of the daemon: by cursor, without a gap and without a repetition.
import type { NoticeFilter, NoticeWithText } from "../protocol/notices.ts";
import { isLoss } from "./outage.ts";
import { errorFromBody, parseObject } from "./remote-error.ts";
import { resumedMessages, type StreamDoor } from "./resumed-messages.ts";

export interface NoticesOptions extends NoticeFilter {
  /** The last cursor you have seen; default: only what comes from now on. */
  readonly after?: number | undefined;
  /** Also those that nobody is owed. */
  readonly recorded?: boolean | undefined;
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
  for await (const message of resumedMessages(door, { path, signal: options.signal })) {
    const notice = typeof message === "string" ? readNotice(message) : undefined;
    if (notice === undefined || notice.cursor <= last) continue;
    last = notice.cursor;
    yield notice;
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

/** Undefined for a kind of message of a newer daemon, and for an error that a new connection mends. */
function readNotice(text: string): NoticeWithText | undefined {
  const message = parseObject(text);
  if (message?.["kind"] === "error") {
    const error = errorFromBody(message["error"] ?? {});
    if (isLoss(error)) return undefined;
    throw error;
  }
  return message?.["kind"] === "notice" ? (message["notice"] as NoticeWithText) : undefined; // made by the same schema
}
