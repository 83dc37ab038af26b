// The daemon as a program. Says "ready" on stdout once it answers, for whoever started it; then nothing more there.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { resolveHome } from "../config/index.ts";
import { isHoldfastError } from "../protocol/errors.ts";
import { bootDaemon, type Daemon } from "./boot.ts";
import { openLog } from "./log.ts";
import { moveOutside } from "./move-outside.ts";

const exitCodes = { alreadyRunning: 75, badConfiguration: 78, failed: 1, internal: 70 };

async function main(): Promise<void> {
  const home = resolveHome();
  mkdirSync(home, { recursive: true, mode: 0o700 });
  process.umask(0o077);
  process.chdir("/");
  const log = openLog(join(home, "daemon.log"), process.env["HOLDFAST_LOG_LEVEL"] ?? "info");
  let daemon: Daemon | undefined;
  const stop = (reason: string): void => {
    log.info({ reason }, "going");
    void (daemon?.close() ?? Promise.resolve()).then(() => process.exit(0));
  };
  process.once("SIGTERM", () => stop("SIGTERM"));
  process.once("SIGINT", () => stop("SIGINT"));
  process.on("uncaughtException", (error) => {
    // Nothing is lost by going: the next daemon finds everything. Going on with a state nobody foresaw might.
    log.fatal({ err: error }, "going after an error nobody foresaw");
    process.exit(exitCodes.internal);
  });
  process.on("SIGHUP", () => undefined); // the shell that started us closes
  try {
    daemon = await bootDaemon({
      home,
      environment: process.env,
      listen: true,
      report: (message, cause) => log.error({ err: cause }, message),
      onStopRequested: () => stop("daemon.stop"),
    });
    log.info({ home, recovery: daemon.recovery }, "ready");
    process.stdout.write("ready\n");
  } catch (error) {
    log.fatal({ err: error }, "cannot start");
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    const isRunning = isHoldfastError(error, "DAEMON_RUNNING");
    process.exit(
      isRunning
        ? exitCodes.alreadyRunning
        : isHoldfastError(error, "CONFIG_INVALID")
          ? exitCodes.badConfiguration
          : exitCodes.failed,
    );
  }
}

// Whoever started this one then asks the other by the home's socket.
if (!(await moveOutside(process.env))) await main();
