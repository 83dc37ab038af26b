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
  search: () => import("./commands/search.ts"),
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
  "watch add": () => import("./commands/watch-add.ts"),
  "watch list": () => import("./commands/watch-list.ts"),
  "watch remove": () => import("./commands/watch-remove.ts"),
  "watch hits": () => import("./commands/watch-hits.ts"),
  "notifications list": () => import("./commands/notifications-list.ts"),
  "notifications get": () => import("./commands/notifications-get.ts"),
  "notifications follow": () => import("./commands/notifications-follow.ts"),
  "notifications claim": () => import("./commands/notifications-claim.ts"),
  "notifications acknowledge": () => import("./commands/notifications-acknowledge.ts"),
  "notifications release": () => import("./commands/notifications-release.ts"),
  "notifications replay": () => import("./commands/notifications-replay.ts"),
  "notifications dead": () => import("./commands/notifications-dead.ts"),
  "job run": () => import("./commands/job-run.ts"),
  "job get": () => import("./commands/job-get.ts"),
  "job list": () => import("./commands/job-list.ts"),
  "job result": () => import("./commands/job-result.ts"),
  "barrier set": () => import("./commands/barrier-set.ts"),
  "barrier get": () => import("./commands/barrier-get.ts"),
  "barrier clear": () => import("./commands/barrier-clear.ts"),
  "session busy": () => import("./commands/session-busy.ts"),
  "session idle": () => import("./commands/session-idle.ts"),
  "session attend": () => import("./commands/session-attend.ts"),
  "delegation start": () => import("./commands/delegation-start.ts"),
  "delegation progress": () => import("./commands/delegation-progress.ts"),
  "delegation finish": () => import("./commands/delegation-finish.ts"),
  "delegation cancel": () => import("./commands/delegation-cancel.ts"),
  "delegation list": () => import("./commands/delegation-list.ts"),
  "config get": () => import("./commands/config-get.ts"),
  "config set": () => import("./commands/config-set.ts"),
  "config list": () => import("./commands/config-list.ts"),
  "config explain": () => import("./commands/config-explain.ts"),
  "config check": () => import("./commands/config-check.ts"),
  "daemon start": () => import("./commands/daemon-start.ts"),
  "daemon stop": () => import("./commands/daemon-stop.ts"),
  "daemon restart": () => import("./commands/daemon-restart.ts"),
  "daemon idle": () => import("./commands/daemon-idle.ts"),
  "daemon status": () => import("./commands/daemon-status.ts"),
  "daemon run": () => import("./commands/daemon-run.ts"),
  "daemon logs": () => import("./commands/daemon-logs.ts"),
  "daemon install": () => import("./commands/daemon-install.ts"),
  "daemon uninstall": () => import("./commands/daemon-uninstall.ts"),
  "lock acquire": () => import("./commands/lock-acquire.ts"),
  "lock release": () => import("./commands/lock-release.ts"),
  "lock list": () => import("./commands/lock-list.ts"),
  "lock run": () => import("./commands/lock-run.ts"),
  mcp: () => import("./commands/mcp.ts"),
  completion: () => import("./commands/completion.ts"),
} as const satisfies Record<string, () => Promise<CommandFile>>;

export type CommandWord = keyof typeof commandTable;

export const commandWords = Object.keys(commandTable) as CommandWord[];
