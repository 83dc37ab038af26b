// Where the MCP server's program is: beside this command line, in a bundle or in the sources.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isFresh } from "./daemon-program.ts";

export function mcpProgram(from: string = import.meta.dirname): string {
  const bundle = join(from, "mcp.mjs");
  if (!existsSync(bundle)) return join(from, "serve-mcp.ts");
  const root = join(from, "..");
  const sources = join(root, "src/cli/serve-mcp.ts");
  return existsSync(sources) && !isFresh(bundle, root) ? sources : bundle;
}
