import { plainEntry, type Agent } from "../agent.ts";

export const kiro: Agent = {
  name: "kiro",
  title: "Kiro",
  format: "json",
  form: { path: ["mcpServers"], entry: plainEntry },
  file: { directory: ".kiro/settings", names: ["mcp.json"] },
  projectFiles: [".kiro/settings/mcp.json"],
  directories: [".kiro"],
  programs: ["kiro", "kiro-cli"],
  afterwards: "nothing: Kiro connects anew when the file is saved.",
  sources: ["https://kiro.dev/docs/mcp/configuration", "https://kiro.dev/docs/cli/mcp/configuration"],
  notes: ["The editor and the command line read the same files."],
};
