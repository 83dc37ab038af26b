// Which file has which command. Loaded one at a time: a command line runs one verb and waits for no other.
import type { Command } from "commander";
import type { Cli } from "./context.ts";

export interface CommandFile {
  /** The command with its options, and what it does. */
  define(cli: Cli): Command;
}

/** By the verb's word; the second word of a group's verbs is its command there. */
export const commandTable = {
  start: () => import("./commands/start.ts"),
  list: () => import("./commands/list.ts"),
  get: () => import("./commands/get.ts"),
  output: () => import("./commands/output.ts"),
  wait: () => import("./commands/wait.ts"),
  write: () => import("./commands/write.ts"),
  attach: () => import("./commands/attach.ts"),
  stop: () => import("./commands/stop.ts"),
  signal: () => import("./commands/signal.ts"),
  "close-stdin": () => import("./commands/close-stdin.ts"),
  resize: () => import("./commands/resize.ts"),
  rename: () => import("./commands/rename.ts"),
  remove: () => import("./commands/remove.ts"),
  active: () => import("./commands/active.ts"),
  interrupt: () => import("./commands/interrupt.ts"),
  gc: () => import("./commands/gc.ts"),
  doctor: () => import("./commands/doctor.ts"),
  "config get": () => import("./commands/config-get.ts"),
  "config set": () => import("./commands/config-set.ts"),
  "config list": () => import("./commands/config-list.ts"),
  "config explain": () => import("./commands/config-explain.ts"),
  "config check": () => import("./commands/config-check.ts"),
  "daemon start": () => import("./commands/daemon-start.ts"),
  "daemon stop": () => import("./commands/daemon-stop.ts"),
  "daemon status": () => import("./commands/daemon-status.ts"),
  "daemon run": () => import("./commands/daemon-run.ts"),
  completion: () => import("./commands/completion.ts"),
} as const satisfies Record<string, () => Promise<CommandFile>>;

export type CommandWord = keyof typeof commandTable;

export const commandWords = Object.keys(commandTable) as CommandWord[];
