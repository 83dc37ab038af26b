import { stdioEntry, type Agent } from "../agent.ts";

export const claudeCode: Agent = {
  name: "claude-code",
  title: "Claude Code",
  format: "json",
  form: { path: ["mcpServers"], entry: stdioEntry },
  file: { directory: "", names: [".claude.json"], variable: "CLAUDE_CONFIG_DIR" },
  projectFiles: [".mcp.json"],
  directories: [".claude"],
  programs: ["claude"],
  afterwards: "start Claude Code again; `/mcp` shows it.",
  sources: ["https://code.claude.com/docs/en/mcp", "https://code.claude.com/docs/en/settings"],
  tried:
    "2.1.325: `claude mcp list` says of the entry that it is connected, and of a project's that it waits for approval.",
  notes: [
    "Claude Code writes `~/.claude.json` itself while it runs: close it first, or give the command below instead.",
    "The same by its own command: `claude mcp add --scope user holdfast -- holdfast mcp`.",
    "A server of a project's `.mcp.json` is used after a person has allowed it once.",
    "Notices can be pushed into a session that was started with channels: [mcp.md](../mcp.md#notices).",
  ],
  canResume: true,
};
