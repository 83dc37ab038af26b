// Builds the keeper. make decides what is stale, so this is quick the second time.
import { runOrExit } from "./run.mjs";

export function ensureKeeper() {
  runOrExit("make", ["-s", "-C", "keeper", "all"], "the keeper could not be built");
}
