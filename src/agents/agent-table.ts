// All agents Holdfast knows.
import type { Agent } from "./agent.ts";
import { claudeCode } from "./known/claude-code.ts";
import { claudeDesktop } from "./known/claude-desktop.ts";
import { cline } from "./known/cline.ts";
import { codex } from "./known/codex.ts";
import { copilotCli } from "./known/copilot-cli.ts";
import { cursor } from "./known/cursor.ts";
import { devin } from "./known/devin.ts";
import { geminiCli } from "./known/gemini-cli.ts";
import { goose } from "./known/goose.ts";
import { hermesAgent } from "./known/hermes-agent.ts";
import { kiro } from "./known/kiro.ts";
import { opencode } from "./known/opencode.ts";
import { qwenCode } from "./known/qwen-code.ts";
import { vscode } from "./known/vscode.ts";
import { windsurf } from "./known/windsurf.ts";
import { zed } from "./known/zed.ts";

export const agents: readonly Agent[] = [
  claudeCode,
  claudeDesktop,
  codex,
  copilotCli,
  cursor,
  vscode,
  windsurf,
  devin,
  geminiCli,
  qwenCode,
  opencode,
  zed,
  cline,
  kiro,
  goose,
  hermesAgent,
];
