// The daemon as a program. Says "ready" on stdout once it answers, for whoever started it; then nothing more there.
import { resolveHome } from "../config/index.ts";
import { consumeMarker, daemonExitCode, makeHome, type StatusFile } from "../home/index.ts";
import { parseDaemonArguments, type DaemonArguments } from "./arguments.ts";
import { bootDaemon, type Daemon } from "./boot.ts";
import { Departure } from "./departure.ts";
import { endProgram } from "./end-program.ts";
import { DaemonLog } from "./log/daemon-log.ts";
import { moveOutside } from "./move-outside.ts";
import { checkBeforeStart } from "./preflight.ts";
import { exitCodeOfFailure, tellFailure } from "./start-failure.ts";

async function main(home: string, asked: DaemonArguments): Promise<void> {
  process.umask(0o077);
  process.chdir("/");
  // Of the terminal it may be shown on; no child shall have them from here.
  const { NO_COLOR, TERM, ...environment } = process.env;
  const log = new DaemonLog({ home, environment: { NO_COLOR, TERM } });
  const booted = Promise.withResolvers<Daemon>();
  let status: StatusFile | undefined;
  const departure = new Departure({
    booted: booted.promise,
    tell: (reason) => log.leave(reason),
    end: (farewell) => {
      const { reason: exitReason, restart: restartRequested } = farewell;
      status?.leave({ state: "stopped", exitReason, restartRequested }); // of one that was closed, long said
      endProgram(farewell, status?.current.supervisor);
    },
  });
  process.on("SIGTERM", () => departure.begin({ kind: "SIGTERM", marker: consumeMarker(home) }));
  process.on("SIGINT", () => departure.begin({ kind: "SIGINT" }));
  process.on("SIGHUP", () => undefined); // the shell that started us closes
  process.stdout.on("error", () => undefined); // whoever started us has gone before it heard that we are ready
  process.on("uncaughtException", (error, origin) => {
    // Nothing is lost by going: the next daemon finds everything. Going on with a state nobody foresaw might.
    log.leave(origin, error);
    status?.leave({ state: "failed", exitReason: `an error nobody foresaw: ${error.message}` });
    process.exit(daemonExitCode.internal);
  });
  try {
    const daemon = await bootDaemon({
      home,
      environment,
      listen: true,
      isInsecure: asked.insecure,
      replace: asked.replace ? { drainMs: asked.drainMs } : undefined,
      log,
      report: (message, cause, about) => log.error({ ...about, err: cause }, message),
      onOwned: (file) => (status = file),
      onConfig: (config) => log.follow(config),
      onStopRequested: (request) => departure.begin({ kind: "request", request }),
    });
    log.info({ home, recovery: daemon.recovery }, "ready");
    process.stdout.write("ready\n");
    booted.resolve(daemon);
  } catch (error) {
    log.cannotStart(error);
    refuse(error, asked);
  }
}

function refuse(error: unknown, { json }: Pick<DaemonArguments, "json">): never {
  tellFailure(error, json);
  process.exit(exitCodeOfFailure(error));
}

const asked = parseDaemonArguments(process.argv.slice(2));
const home = resolveHome();
try {
  const { replace: isReplacing, insecure: isInsecure } = asked;
  makeHome(home);
  await checkBeforeStart({ home, environment: process.env, isReplacing, isInsecure });
} catch (error) {
  refuse(error, asked);
}
// Whoever started this one then asks the other by the home's socket.
if (!(await moveOutside(process.env))) await main(home, asked);
