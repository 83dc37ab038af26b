// What can be known to be wrong before anything of the home is touched, its log included, and before another daemon is sent away.
import { join } from "node:path";
import { ConfigStore } from "../config/index.ts";
import { refuseNewerStore } from "../store/index.ts";

export interface PreflightOptions {
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly isReplacing: boolean;
}

export function storeFileOf(home: string): string {
  return join(home, "holdfast.db");
}

/** @throws HoldfastError STORE_TOO_NEW; CONFIG_INVALID for one that would replace another, which goes on with what it has */
export function checkBeforeStart({ home, environment, isReplacing }: PreflightOptions): void {
  refuseNewerStore(storeFileOf(home));
  if (isReplacing) ConfigStore.open({ home, environment, watch: false }).close();
}
