// Where the programs are that are no part of the command line's own file, because what they need would cost every command: beside
// this command line, in a bundle or in the sources.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isFresh } from "./daemon-program.ts";

/** By the source in src/cli: its bundle. */
export const ownPrograms = {
  "serve-mcp": "mcp.mjs",
  "serve-acp": "acp.mjs",
  "run-init": "init.mjs",
} as const;

export type OwnProgram = keyof typeof ownPrograms;

/** The address to import it from. */
export function ownProgram(name: OwnProgram, from: string = import.meta.dirname): string {
  return pathToFileURL(programFile(name, from)).href;
}

function programFile(name: OwnProgram, from: string): string {
  const bundle = join(from, ownPrograms[name]);
  if (!existsSync(bundle)) return join(from, `${name}.ts`);
  const root = join(from, "..");
  const sources = join(root, `src/cli/${name}.ts`);
  return existsSync(sources) && !isFresh(bundle, root) ? sources : bundle;
}
