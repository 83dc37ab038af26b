import type { Agent, Entry, ServerCommand } from "../agent.ts";

function localEntry({ command, args, env }: ServerCommand): Entry {
  return {
    type: "local",
    command: [command, ...args],
    ...(Object.keys(env).length > 0 ? { environment: env } : {}),
  };
}

export const opencode: Agent = {
  name: "opencode",
  title: "OpenCode",
  format: "json",
  // Version 2 understands this form too; version 1 refuses a file with the other one.
  form: { path: ["mcp"], entry: localEntry, initial: { enabled: true } },
  newerForm: { path: ["mcp", "servers"], entry: localEntry },
  file: { directory: ".config/opencode", names: ["opencode.jsonc", "opencode.json"], xdg: true },
  projectFiles: ["opencode.jsonc", "opencode.json"],
  directories: [".config/opencode"],
  programs: ["opencode"],
  afterwards: "start OpenCode again; `opencode mcp list` shows it.",
  sources: [
    "https://opencode.ai/docs/mcp-servers/",
    "https://opencode.ai/v2/docs/mcp-servers/",
    "https://opencode.ai/docs/migrate-v1/",
  ],
  tried: "1.18.33: `opencode mcp list` says of both entries that they are connected.",
  notes: [
    "In a file that has `mcp.servers`, the form of version 2, the entry goes there. Else it is written in the form of version 1, which version 2 reads as well.",
  ],
  canResume: true,
};
