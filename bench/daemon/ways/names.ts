// Every way by its name. Loaded one at a time: a fork costs by the size of the process that forks.
import type { OpenWay } from "./way.ts";

export const ways = {
  holdfast: async () => (await import("./holdfast.ts")).openHoldfast,
  "holdfast two calls": async () => (await import("./holdfast.ts")).openHoldfastTwoCalls,
  "holdfast events": async () => (await import("./holdfast.ts")).openHoldfastEvents,
  "Node spawn": async () => (await import("./node-spawn.ts")).openNodeSpawn,
  "Node forwarder": async () => (await import("./node-forwarder.ts")).openNodeForwarder,
  "task-spooler": async () => (await import("./task-spooler.ts")).openTaskSpooler,
  tmux: async () => (await import("./tmux.ts")).openTmux,
  "tmux, its commands": async () => (await import("./tmux-commands.ts")).openTmuxCommands,
  pm2: async () => (await import("./pm2.ts")).openPm2,
  supervisord: async () => (await import("./supervisord.ts")).openSupervisord,
} as const satisfies Record<string, () => Promise<OpenWay>>;

export type WayName = keyof typeof ways;
