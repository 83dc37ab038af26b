import { plainEntry, type Agent } from "../agent.ts";

export const geminiCli: Agent = {
  name: "gemini-cli",
  title: "Gemini CLI",
  format: "json",
  form: { path: ["mcpServers"], entry: plainEntry },
  file: { directory: ".gemini", names: ["settings.json"] },
  projectFiles: [".gemini/settings.json"],
  directories: [".gemini"],
  programs: ["gemini"],
  afterwards: "start Gemini CLI again; `/mcp` shows it.",
  sources: ["https://geminicli.com/docs/tools/mcp-server/", "https://geminicli.com/docs/cli/configuration"],
  tried: "0.61.0: `gemini mcp list` says of both entries that they are connected, in a folder it trusts.",
  notes: ["The same by its own command: `gemini mcp add -s user holdfast holdfast mcp`."],
  canResume: true,
};
