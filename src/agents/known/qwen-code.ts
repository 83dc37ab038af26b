import { plainEntry, type Agent } from "../agent.ts";

export const qwenCode: Agent = {
  name: "qwen-code",
  title: "Qwen Code",
  format: "json",
  form: { path: ["mcpServers"], entry: plainEntry },
  file: { directory: ".qwen", names: ["settings.json"] },
  projectFiles: [".qwen/settings.json"],
  directories: [".qwen"],
  programs: ["qwen"],
  afterwards: "start Qwen Code again; `/mcp` shows it.",
  sources: ["https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp/"],
  tried:
    "0.24.4: `qwen mcp list` says of the entry that it is connected, and of a project's that it waits for approval.",
  notes: [
    "Version 1 puts new servers of a project into `.mcp.json`, and still reads them from `.qwen/settings.json`.",
  ],
};
