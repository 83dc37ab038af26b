import { plainEntry, type Agent } from "../agent.ts";

export const codex: Agent = {
  name: "codex",
  title: "Codex CLI",
  format: "toml",
  form: { path: ["mcp_servers"], entry: plainEntry },
  file: { directory: ".codex", names: ["config.toml"], variable: "CODEX_HOME" },
  projectFiles: [".codex/config.toml"],
  directories: [".codex"],
  programs: ["codex"],
  afterwards: "start Codex again; `/mcp` shows it.",
  sources: [
    "https://developers.openai.com/codex/mcp",
    "https://github.com/openai/codex/blob/main/docs/config.md",
  ],
  tried: "0.166.0: `codex mcp list` shows both entries, the project's in a project it trusts.",
  notes: [
    "The command line, the app and the editor extension read the same file. A project's file counts only in a project Codex trusts.",
    "Codex starts servers with a short list of variables: what commands need besides is named in `env_vars` of the entry.",
    "The same by its own command: `codex mcp add holdfast -- holdfast mcp`.",
  ],
  canResume: true,
};
