import { plainEntry, type Agent } from "../agent.ts";

export const claudeDesktop: Agent = {
  name: "claude-desktop",
  title: "Claude Desktop",
  format: "json",
  form: { path: ["mcpServers"], entry: plainEntry },
  file: { directory: "Library/Application Support/Claude", names: ["claude_desktop_config.json"] },
  platforms: ["darwin"],
  directories: ["Library/Application Support/Claude"],
  programs: [],
  afterwards: "quit Claude Desktop and open it again.",
  sources: ["https://modelcontextprotocol.io/quickstart/user"],
  notes: ["Only on macOS: for Linux its vendor names no place of the file."],
};
