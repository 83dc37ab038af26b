// Ends terminals that nobody has looked at, and that have written nothing, for longer than the configuration allows. Off unless it says so.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { directoryOf, stopProcess, type ProcessContext } from "../processes/index.ts";
import { terminalKeyOf } from "../protocol/terminal-key.ts";
import type { Terminals } from "./terminals.ts";

/** As a terminal is ended by its user. */
export const endGraceMs = 1_500;
const lookMs = 5_000;

async function lastWriteMs(directory: string): Promise<number> {
  const names = await readdir(directory).catch(() => []); // ended and removed meanwhile
  const logs = names.filter((name) => name.endsWith(".log"));
  const times = await Promise.all(
    logs.map(async (name) => (await stat(join(directory, name)).catch(() => undefined))?.mtimeMs ?? 0),
  );
  return Math.max(0, ...times);
}

/** Returns how to stop. */
export function endIdleTerminals(context: ProcessContext, terminals: Terminals): () => void {
  const watchedAt = new Map<string, number>();
  const look = async (): Promise<void> => {
    const { idleMs } = context.config().terminal;
    const open = context.registry.live().filter((record) => terminalKeyOf(record) !== undefined);
    for (const id of watchedAt.keys()) if (!open.some((record) => record.id === id)) watchedAt.delete(id);
    for (const record of open) {
      const isWatched = terminals.views.list(record.id).length > 0 || !watchedAt.has(record.id);
      if (isWatched) watchedAt.set(record.id, Date.now());
      if (idleMs === 0 || record.state === "stopping") continue;
      const usedAt = Math.max(
        watchedAt.get(record.id) ?? 0,
        await lastWriteMs(directoryOf(context, record.id)),
      );
      if (Date.now() - usedAt < idleMs) continue;
      const requester = { verb: "terminal.idle" };
      await stopProcess(context, record, { graceMs: endGraceMs, reason: "idle", requester });
    }
  };
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking || context.signal.aborted) return;
    isLooking = true;
    look()
      .catch((error: unknown) => context.report("Idle terminals could not be ended.", error))
      .finally(() => {
        isLooking = false;
      });
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}
