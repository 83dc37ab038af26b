import { plainEntry, type Agent } from "../agent.ts";

export const copilotCli: Agent = {
  name: "copilot-cli",
  title: "GitHub Copilot CLI",
  format: "json",
  form: {
    path: ["mcpServers"],
    entry: (command) => ({ type: "local", ...plainEntry(command) }),
    initial: { tools: ["*"] },
  },
  file: { directory: ".copilot", names: ["mcp-config.json"], variable: "COPILOT_HOME" },
  projectFiles: [".github/mcp.json"],
  directories: [".copilot"],
  programs: ["copilot"],
  afterwards: "start Copilot CLI again; `/mcp show` shows it.",
  sources: [
    "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers",
    "https://code.visualstudio.com/docs/agents/reference/mcp-configuration",
  ],
  tried: "1.0.102: `copilot mcp get holdfast` shows both entries, the project's in a folder it trusts.",
  notes: [
    "It also reads a project's `.mcp.json`, the file of [Claude Code](claude-code.md): one of the two suffices.",
  ],
};
