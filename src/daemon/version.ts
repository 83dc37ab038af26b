// The release this daemon is from.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export function readVersion(): string {
  const text = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version; // our own file
}
