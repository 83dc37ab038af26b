// What the store needs from time to time while the daemon runs.
import type { Config } from "../config/index.ts";
import type { Store } from "../store/index.ts";

export interface UpkeepOptions {
  readonly store: Store;
  readonly config: () => Config;
  readonly report: (message: string, cause?: unknown) => void;
}

export interface Upkeep {
  /** What the last look found wrong with the database, in words; empty when it is sound. */
  readonly damage: readonly string[];
  end(): void;
}

/** Trims old events and looks for damage, at the interval that is configured when each turn begins. */
export function beginUpkeep({ store, config, report }: UpkeepOptions): Upkeep {
  let timer: NodeJS.Timeout;
  let isOver = false;
  let damage: string[] = [];
  const turn = async (): Promise<void> => {
    try {
      if (store.access === "read-write") await store.events.trim();
      const found = await store.checkIntegrity();
      damage = found.length === 0 ? [] : [`The database is damaged: ${found.join("; ")}`];
      for (const problem of damage) report(problem);
    } catch (error) {
      report("The upkeep of the database failed.", error);
    }
    if (!isOver) arm();
  };
  const arm = (): void => {
    timer = setTimeout(() => void turn(), config().store.checkIntervalMs);
    timer.unref();
  };
  arm();
  return {
    get damage() {
      return damage;
    },
    end: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
