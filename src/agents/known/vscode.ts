import { stdioEntry, type Agent } from "../agent.ts";

export const vscode: Agent = {
  name: "vscode",
  title: "VS Code",
  format: "json",
  form: { path: ["servers"], entry: stdioEntry },
  file: {
    directory: { linux: ".config/Code/User", darwin: "Library/Application Support/Code/User" },
    names: ["mcp.json"],
    xdg: true,
  },
  projectFiles: [".vscode/mcp.json"],
  directories: [".config/Code", "Library/Application Support/Code"],
  programs: ["code"],
  afterwards: "run the command `MCP: List Servers` in VS Code and start it there.",
  sources: [
    "https://code.visualstudio.com/docs/agents/reference/mcp-configuration",
    "https://code.visualstudio.com/docs/copilot/customization/mcp-servers",
  ],
  notes: [
    "This is the file of the default profile; another profile has its own (`MCP: Open User Configuration`).",
  ],
};
