// The identity that keepers and the launcher write into their files.
import type { ProcessIdentity } from "../util/process-identity.ts";
import { parseText, textNumber, textValue } from "./text-format.ts";

/** The identity that a `keeper` file or `launcher.lock` records; undefined if it is not whole. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  const lines = parseText(text);
  const pid = textNumber(lines, "pid");
  const startTime = textNumber(lines, "start");
  const bootId = textValue(lines, "boot");
  if (pid === undefined || pid <= 0 || startTime === undefined || !bootId) return undefined;
  return { pid, startTime, bootId };
}
