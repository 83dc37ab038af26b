import { plainEntry, type Agent } from "../agent.ts";

export const cline: Agent = {
  name: "cline",
  title: "Cline",
  format: "json",
  form: { path: ["mcpServers"], entry: plainEntry },
  file: { directory: ".cline/data/settings", names: ["cline_mcp_settings.json"] },
  directories: [".cline"],
  programs: ["cline"],
  afterwards: "start Cline again; `cline mcp` shows it.",
  sources: ["https://docs.cline.bot/mcp/mcp-overview", "https://docs.cline.bot/mcp/configuring-mcp-servers"],
  tried: "3.0.65: `cline config mcp` shows the entry.",
  notes: [
    "This is the file of the command line. The editor extension opens its own by MCP Servers, Configure, Configure MCP Servers: the same entry goes there by hand.",
  ],
};
