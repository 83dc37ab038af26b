// A home as a person has it who uses every agent: their files with other servers, comments, secrets and line ends of all kinds.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { testDirectory } from "./test-home.ts";

/** In every file; must never be printed. */
export const agentSecret = "sk-agent-files-7f3a9c";

/** By the agent's name: the file below the home, and what is in it. */
export const agentFiles: Readonly<Record<string, readonly [path: string, text: string]>> = {
  "claude-code": [
    ".claude.json",
    `{\n  "numStartups": 41,\n  "userID": "${agentSecret}",\n  "projects": {\n    "/p": { "mcpServers": { "holdfast": { "command": "other" } } }\n  },\n  "mcpServers": {\n    "playwright": {\n      "type": "stdio",\n      "command": "npx",\n      "args": [\n        "@playwright/mcp@latest"\n      ],\n      "env": {}\n    }\n  }\n}`,
  ],
  codex: [
    ".codex/config.toml",
    `model = "gpt-5.1" # best\napproval_policy = "on-request"\nnotify = ["sh", "-c",\n  "[mcp_servers.holdfast]"]\n\n[mcp_servers.docs]\ncommand = "npx"\nargs = ["-y", "docs-mcp"]\n\n[mcp_servers.docs.env]\nKEY = '${agentSecret}'\n\n# trust\n[projects."/p/q.r"]\ntrust_level = "trusted"\n`,
  ],
  "copilot-cli": [
    ".copilot/mcp-config.json",
    `{"mcpServers":{"github":{"type":"http","url":"https://example.com/mcp","headers":{"Authorization":"Bearer ${agentSecret}"},"tools":["*"]}}}\n`,
  ],
  cursor: [
    ".cursor/mcp.json",
    `{\r\n\t"mcpServers": {\r\n\t\t"db": {\r\n\t\t\t"command": "uvx",\r\n\t\t\t"args": ["db-mcp"],\r\n\t\t\t"env": { "TOKEN": "${agentSecret}" }\r\n\t\t}\r\n\t}\r\n}\r\n`,
  ],
  vscode: [
    ".config/Code/User/mcp.json",
    `{\n\t// Servers of mine\n\t"inputs": [\n\t\t{ "type": "promptString", "id": "key", "password": true },\n\t],\n\t"servers": {\n\t\t"memory": { "type": "stdio", "command": "npx", "args": ["-y", "memory"], "env": { "K": "${agentSecret}" } }, // keep\n\t},\n}\n`,
  ],
  windsurf: [".codeium/windsurf/mcp_config.json", `{\n  "mcpServers": {}\n}`],
  devin: [
    ".config/devin/config.json",
    `{\n  // Agent behaviour\n  "agent": { "model": "swe" },\n  "permissions": { "allow": ["Read(**)"], "deny": [] } /* ${agentSecret} */\n}\n`,
  ],
  "gemini-cli": [
    ".gemini/settings.json",
    `{\n  "theme": "Dracula",\n  "mcpServers": {\n    "git": { "command": "uvx", "args": ["mcp-server-git"] },\n    "github": {\n      "httpUrl": "https://example.com/mcp/",\n      "headers": { "Authorization": "${agentSecret}" },\n      "timeout": 5000\n    }\n  },\n  "last": true\n}\n`,
  ],
  "qwen-code": [".qwen/settings.json", `{}`],
  opencode: [
    ".config/opencode/opencode.jsonc",
    `{\n  "$schema": "https://opencode.ai/config.json",\n  /* one\n     server */\n  "mcp": {\n    "docs": {\n      "type": "remote",\n      "url": "https://example.com",\n      "headers": { "Authorization": "${agentSecret}" }\n    } // the only one\n  }\n}\n`,
  ],
  zed: [
    ".config/zed/settings.json",
    `// Zed settings\n//\n// For information on how to configure Zed, see the docs.\n{\n  "theme": {\n    "mode": "system",\n  },\n  "context_servers": {\n    "db": {\n      "command": "db",\n      "args": [],\n      "env": { "KEY": "${agentSecret}" }, // secret\n    },\n  },\n  "vim_mode": true,\n}\n`,
  ],
  cline: [".cline/data/settings/cline_mcp_settings.json", `{\n  "mcpServers": {\n  }\n}\n`],
  kiro: [
    ".kiro/settings/mcp.json",
    `\ufeff{\n    "mcpServers": {\n        "web": { "url": "https://example.com", "headers": { "A": "${agentSecret}" }, "disabled": false }\n    },\n    "powers": { "mcpServers": {} }\n}\n`,
  ],
  goose: [
    ".config/goose/config.yaml",
    `# Model\nGOOSE_PROVIDER: "anthropic"\nextensions:\n  developer:\n    bundled: true\n    enabled: true\n    name: developer\n    type: builtin\n\n  github:\n    name: GitHub\n    cmd: npx\n    args: [-y, "@modelcontextprotocol/server-github"]\n    enabled: true\n    envs: { "TOKEN": "${agentSecret}" }\n    type: stdio # local\n\n# Tools\nGOOSE_MODE: smart_approve\nslash_commands:\n  - command: "run-tests"\n    recipe_path: "/r.yaml"\n`,
  ],
  "hermes-agent": [
    ".hermes/config.yaml",
    `model:\r\n  default: hermes\r\nmcp_servers:\r\n    time:\r\n        command: "uvx"\r\n        args: ["mcp-server-time"]\r\n        env:\r\n            KEY: "${agentSecret}"\r\nterminal:\r\n  backend: local\r\n`,
  ],
};

/** A fresh home with these agents' files; mode 0600, as agents write them. */
export function newAgentHome(names: readonly string[] = Object.keys(agentFiles)): string {
  const home = mkdtempSync(join(testDirectory(), "a-"));
  for (const name of names) {
    const [path, text] = agentFiles[name] ?? ["", ""];
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text, { mode: 0o600 });
  }
  return home;
}

export function agentFile(home: string, name: string): string {
  return join(home, agentFiles[name]?.[0] ?? "");
}
