// What the store needs from time to time while the daemon runs.
import type { Config } from "../config/index.ts";
import type { Store } from "../store/index.ts";

export interface UpkeepOptions {
  readonly store: Store;
  readonly config: () => Config;
  readonly report: (message: string, cause?: unknown) => void;
}

/** Trims old events and looks for damage, at the interval that is configured when each turn begins. Returns how to stop. */
export function beginUpkeep({ store, config, report }: UpkeepOptions): () => void {
  let timer: NodeJS.Timeout;
  let isOver = false;
  const turn = async (): Promise<void> => {
    try {
      if (store.access === "read-write") await store.events.trim();
      const damage = await store.checkIntegrity();
      if (damage.length > 0) report(`The database is damaged: ${damage.join("; ")}`);
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
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
