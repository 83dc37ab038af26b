// What can be known to be wrong before anything of the home is touched, its log included, and before another daemon is sent away.
import { join } from "node:path";
import { ConfigStore } from "../config/index.ts";
import { refuseNewerStore } from "../store/index.ts";
import { isInsecureWanted, refuseExposed } from "./dashboard/exposure.ts";

export interface PreflightOptions {
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly isReplacing: boolean;
  /** The dashboard asks nobody who they are. */
  readonly isInsecure: boolean;
}

export function storeFileOf(home: string): string {
  return join(home, "holdfast.db");
}

/** @throws HoldfastError STORE_TOO_NEW; CONFIG_INVALID for one that would replace another, which goes on with what it has */
export async function checkBeforeStart(options: PreflightOptions): Promise<void> {
  const { home, environment, isReplacing } = options;
  refuseNewerStore(storeFileOf(home));
  if (!isReplacing) return;
  using config = ConfigStore.open({ home, environment, watch: false });
  await refuseExposed(config.current.dashboard, isInsecureWanted(options));
}
