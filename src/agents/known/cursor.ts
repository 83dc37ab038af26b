import { stdioEntry, type Agent } from "../agent.ts";

export const cursor: Agent = {
  name: "cursor",
  title: "Cursor",
  format: "json",
  form: { path: ["mcpServers"], entry: stdioEntry },
  file: { directory: ".cursor", names: ["mcp.json"] },
  projectFiles: [".cursor/mcp.json"],
  directories: [".cursor"],
  programs: ["cursor", "cursor-agent"],
  afterwards: "restart Cursor, and switch the server on under Customize, MCPs if it is off.",
  sources: ["https://cursor.com/docs/mcp"],
  notes: ["The editor and its command line (`agent`) read the same files."],
};
