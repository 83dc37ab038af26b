// The door of the daemon, for programs that embed it.
export { bootDaemon } from "./boot.ts";
export type { BootOptions, Daemon } from "./boot.ts";
