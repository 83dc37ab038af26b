// Live figures put together from updates.
import type { DaemonUsage, MachineUsage, ProcessUsage, UsageUpdate } from "#protocol/usage.ts";

export interface UsageMoment {
  readonly atMs: number;
  readonly machine: MachineUsage;
  readonly daemon: DaemonUsage;
}

export interface Usage {
  readonly rows: ReadonlyMap<string, ProcessUsage>;
  /** Oldest first; the last one is now. */
  readonly history: readonly UsageMoment[];
}

// Ten minutes, a sample every two seconds.
const mostMoments = 300;
// Rows of ended processes stay for their last line; a page that is open for days must not collect all of them.
const mostRows = 5_000;

export const noUsage: Usage = { rows: new Map(), history: [] };

export function withUpdate(known: Usage, update: UsageUpdate): Usage {
  const rows = new Map(update.whole ? endedOf(known) : known.rows);
  for (const row of update.processes) {
    rows.delete(row.id); // so that the oldest stand first
    rows.set(row.id, row);
  }
  for (const [id, { processes }] of rows) {
    if (rows.size <= mostRows) break;
    if (processes === 0) rows.delete(id);
  }
  const { machine, daemon } = update;
  const moment = { atMs: Date.parse(update.at), machine, daemon };
  return { rows, history: [...known.history, moment].slice(-mostMoments) };
}

function endedOf({ rows }: Usage): [string, ProcessUsage][] {
  return [...rows].filter(([, { processes }]) => processes === 0);
}
