import { plainEntry, type Agent } from "../agent.ts";

export const devin: Agent = {
  name: "devin",
  title: "Devin CLI",
  format: "json",
  form: { path: ["mcpServers"], entry: plainEntry },
  file: { directory: ".config/devin", names: ["config.json"] },
  projectFiles: [".devin/config.json"],
  directories: [".config/devin"],
  programs: ["devin"],
  afterwards: "start Devin again; `devin mcp list` shows it.",
  sources: [
    "https://docs.devin.ai/cli/extensibility/mcp/configuration",
    "https://docs.devin.ai/cli/reference/configuration/config-file",
  ],
  notes: ["The same by its own command: `devin mcp add -s user holdfast -- holdfast mcp`."],
};
