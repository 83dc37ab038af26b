// What tests ask about watches.
import type { NoticeKind, NoticeWithText } from "../../src/protocol/notices.ts";
import type { WatchView } from "../../src/protocol/watches.ts";
import { ask } from "./daemon-calls.ts";
import type { DaemonHome } from "./daemon-home.ts";

export async function watchesOf(daemon: DaemonHome, id: string): Promise<WatchView[]> {
  return (await ask(daemon, "watch.list", { id })).watches;
}

/** How often each watch of a process was true, in the order in which they were added. */
export async function hitsOf(daemon: DaemonHome, id: string): Promise<number[]> {
  return (await watchesOf(daemon, id)).map(({ hits }) => hits);
}

/** Every notice of these kinds about a process, oldest first. */
export async function noticesOf(
  daemon: DaemonHome,
  process: string,
  ...kinds: NoticeKind[]
): Promise<NoticeWithText[]> {
  return (await ask(daemon, "notifications.list", { process, kinds, limit: 1_000 })).notices;
}
