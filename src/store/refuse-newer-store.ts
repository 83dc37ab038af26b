// Is the store of a home newer than this build? Asked before anything of the home is touched, also while another daemon has it open.
import { existsSync } from "node:fs";
import { isHoldfastError } from "../protocol/errors.ts";
import { readStoreVersion } from "./examine-file.ts";
import { refuseNewer } from "./migrate.ts";

/** Whatever else is wrong with it is told when it is opened. @throws HoldfastError STORE_TOO_NEW */
export function refuseNewerStore(file: string): void {
  if (!existsSync(file)) return;
  try {
    refuseNewer(file, readStoreVersion(file).version);
  } catch (error) {
    if (isHoldfastError(error, "STORE_TOO_NEW")) throw error;
  }
}
