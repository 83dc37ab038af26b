import { plainEntry, type Agent } from "../agent.ts";

export const windsurf: Agent = {
  name: "windsurf",
  title: "Windsurf (Devin Desktop)",
  format: "json",
  form: { path: ["mcpServers"], entry: plainEntry },
  file: { directory: ".codeium/windsurf", names: ["mcp_config.json"] },
  directories: [".codeium/windsurf"],
  programs: ["windsurf"],
  afterwards: "press Refresh in the MCP panel of Cascade, or restart the editor.",
  sources: ["https://docs.windsurf.com/windsurf/cascade/mcp"],
  notes: ["The agent Devin Local and the Devin CLI have a file of their own: [devin](devin.md)."],
};
