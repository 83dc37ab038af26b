// What shells of a test's home left in memory: nothing of it is a file of the test directory, so it is removed here.
import { findMemoryPlace, removeMemoryPlace } from "../../src/processes/shell/memory-place.ts";

/** When nothing runs in the home any more. */
export function forgetShells(home: string, environment: NodeJS.ProcessEnv): void {
  const place = findMemoryPlace(home, environment);
  if (place !== undefined) removeMemoryPlace(place);
}
