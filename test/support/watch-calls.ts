// What tests ask about watches.
import { join } from "node:path";
import { expect } from "vitest";
import { KeptProcess } from "../../src/keeper/index.ts";
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

/** A wait for an end does not wait for a matcher that is far behind; this does. */
export async function untilEndsTold(daemon: DaemonHome): Promise<void> {
  const ends = async (): Promise<number | null | undefined> =>
    (await ask(daemon, "daemon.idle", {})).sources.find(({ name }) => name === "ends")?.count;
  await expect.poll(ends, { timeout: 30_000 }).toBe(0);
}

/** Closes its stdin, by which it ends. To be called while no daemon runs, or none looks. Resolves with its run directory. */
export async function endUnseen({ home }: DaemonHome, id: string): Promise<string> {
  const directory = join(home, "runs", id);
  const kept = new KeptProcess({ directory });
  await kept.closeStdin();
  await kept.wait();
  kept.close();
  return directory;
}

/** Every notice of these kinds about a process, oldest first. */
export async function noticesOf(
  daemon: DaemonHome,
  process: string,
  ...kinds: NoticeKind[]
): Promise<NoticeWithText[]> {
  return (await ask(daemon, "notifications.list", { process, kinds, limit: 1_000 })).notices;
}
