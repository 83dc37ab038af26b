import { access, constants, stat, statfs } from "node:fs/promises";
import { daemonExitCode } from "../home/index.ts";
import { findConfinementLack } from "../keeper/index.ts";
import type { OperationOutput } from "../protocol/operations.ts";
import { checkSupervision } from "../supervision/index.ts";
import type { Handler, OperationContext } from "./context.ts";

type Check = OperationOutput<"doctor">["checks"][number];

const leastFreeBytes = 1_073_741_824;

async function checkHome({ processes }: OperationContext): Promise<Check> {
  const name = "home";
  try {
    await access(processes.home, constants.W_OK | constants.X_OK);
    const { mode } = await stat(processes.home);
    if ((mode & 0o077) !== 0) {
      return {
        name,
        result: "warning",
        message: `${processes.home} can be entered by others.`,
        hint: `chmod 700 ${processes.home}`,
      };
    }
    return { name, result: "ok", message: `${processes.home} is ours alone and can be written.` };
  } catch (error) {
    return {
      name,
      result: "problem",
      message: `${processes.home} cannot be used: ${String(error)}`,
      hint: "Make it writable for you.",
    };
  }
}

async function checkDisk({ processes }: OperationContext): Promise<Check> {
  const { bavail, bsize } = await statfs(processes.home);
  const free = bavail * bsize;
  const message = `${Math.round(free / 1_048_576)} MiB are free for output.`;
  return free > leastFreeBytes
    ? { name: "disk", result: "ok", message }
    : {
        name: "disk",
        result: "warning",
        message,
        hint: "Run `holdfast gc`, or lower retention.maxDiskBytes.",
      };
}

async function checkStore({ processes }: OperationContext): Promise<Check> {
  const damage = await processes.store.checkIntegrity();
  const [first] = damage;
  return first === undefined
    ? { name: "store", result: "ok", message: "The database is sound." }
    : {
        name: "store",
        result: "problem",
        message: `The database is damaged: ${first}`,
        hint: "Restart the daemon: it sets the file aside and rebuilds it.",
      };
}

async function checkLauncher({ processes }: OperationContext): Promise<Check> {
  try {
    const { pid, held } = await processes.launcher.status();
    return { name: "launcher", result: "ok", message: `Process ${pid} holds ${held} runs.` };
  } catch (error) {
    return {
      name: "launcher",
      result: "problem",
      message: String(error),
      hint: "Read launcher.log in the home.",
    };
  }
}

async function checkConfig({ config }: OperationContext): Promise<Check> {
  const { valid, problems } = await config.check();
  const [first] = problems;
  return valid || first === undefined
    ? { name: "config", result: "ok", message: "The configuration is valid." }
    : {
        name: "config",
        result: "problem",
        message: `${first.file}${first.line === null ? "" : `:${first.line}`} ${first.key}: ${first.message}`,
        hint: "The last good configuration is in force until this is mended.",
      };
}

async function checkDaemon({ daemon }: OperationContext): Promise<Check> {
  const { problems, previousEnd, pid } = await daemon.status();
  const name = "daemon";
  if (problems.length > 0)
    return {
      name,
      result: "problem",
      message: problems.join(" "),
      hint: "See `holdfast daemon logs --level warn`.",
    };
  if (previousEnd === null || previousEnd.how === "left")
    return { name, result: "ok", message: `Process ${pid} has nothing to complain about.` };
  const how = previousEnd.how === "killed" ? "was killed" : "did not say why it went";
  return {
    name,
    result: "warning",
    message: `The daemon before this one, process ${previousEnd.pid}, ${how}.`,
    hint: "Nothing is lost by that. If nobody did it, the machine may be short of memory: see the kernel's log.",
  };
}

/** Only where commands must be confined it is a problem that they cannot be. */
async function checkConfinement({ processes, config }: OperationContext): Promise<Check> {
  const name = "confinement";
  const lack = await findConfinementLack(processes.binary);
  if (lack === undefined) return { name, result: "ok", message: "Commands can be confined." };
  const profiles = Object.entries(config.current.confinement.profiles);
  const requiring = profiles.filter(([, { require }]) => require !== "never").map(([profile]) => profile);
  if (requiring.length === 0)
    return { name, result: "ok", message: `Commands cannot be confined here, and need not be: ${lack}.` };
  return {
    name,
    result: "problem",
    message: `Commands of profile ${requiring.join(", ")} must be confined and cannot be: ${lack}.`,
    hint: "Mend that, or change confinement.profiles; until then they are refused.",
  };
}

/** Where the home lies, and who starts the daemon. */
async function checkPlace({ processes, config, daemon }: OperationContext): Promise<Check[]> {
  const { pid, supervisor, version } = await daemon.status();
  return await checkSupervision({
    home: processes.home,
    environment: process.env,
    version,
    exitCodes: daemonExitCode,
    drainMs: config.current.daemon.drainMs,
    daemonPid: pid,
    supervisor,
  });
}

export const doctor: Handler<"doctor"> = async (context) => {
  const checks = [
    checkHome,
    checkDisk,
    checkStore,
    checkLauncher,
    checkConfig,
    checkDaemon,
    checkConfinement,
  ];
  const [place, ...own] = await Promise.all([checkPlace(context), ...checks.map((check) => check(context))]);
  return { checks: [...own, ...place] };
};
