// Who starts this daemon again when it goes. Asked once, by the daemon, at its start: later its parent may have gone, and
// whoever takes orphans in would pass for its supervisor.
import { existsSync, readFileSync } from "node:fs";
import type { Supervisor } from "../protocol/daemon.ts";

export interface SupervisorFacts {
  readonly environment: NodeJS.ProcessEnv;
  readonly pid: number;
  readonly parentPid: number;
  readonly platform: NodeJS.Platform;
  /** Text of /proc/self/cgroup. */
  readonly cgroup: string;
  /** The name of the parent's program, as /proc/PID/comm has it. */
  readonly parentName: string;
  readonly hasFile: (path: string) => boolean;
}

const none: Supervisor = { kind: "none", name: null };

// Left by the engines in every container they make.
const containerMarks = [
  ["/run/.containerenv", "podman"],
  ["/.dockerenv", "docker"],
] as const;

/** Of this process. */
export function detectSupervisor(
  environment: NodeJS.ProcessEnv = process.env,
  facts: Partial<SupervisorFacts> = {},
): Supervisor {
  const known: SupervisorFacts = {
    environment,
    pid: process.pid,
    parentPid: process.ppid,
    platform: process.platform,
    cgroup: textOf("/proc/self/cgroup"),
    parentName: textOf(`/proc/${process.ppid}/comm`).trim(),
    hasFile: existsSync,
    ...facts,
  };
  return fromSystemd(known) ?? fromLaunchd(known) ?? fromContainer(known) ?? none;
}

/**
 * INVOCATION_ID alone proves nothing: every shell below a service inherits it. SYSTEMD_EXEC_PID names the process the manager
 * itself started; managers before 248 do not set it, and there the parent must be the manager.
 */
function fromSystemd({
  environment,
  pid,
  cgroup,
  parentPid,
  parentName,
}: SupervisorFacts): Supervisor | undefined {
  const unit = /([^/\n]+\.service)$/m.exec(cgroup)?.[1];
  const executed = environment["SYSTEMD_EXEC_PID"];
  if (executed !== undefined) {
    return executed === String(pid) ? { kind: "systemd", name: unit ?? null } : undefined;
  }
  const isFromManager =
    environment["INVOCATION_ID"] !== undefined && (parentPid === 1 || parentName === "systemd");
  return isFromManager && unit !== undefined ? { kind: "systemd", name: unit } : undefined;
}

/** Programs started from an application on the desktop inherit its name, or "0". */
function fromLaunchd({ environment, platform, parentPid }: SupervisorFacts): Supervisor | undefined {
  const label = environment["XPC_SERVICE_NAME"];
  if (platform !== "darwin" || parentPid !== 1 || label === undefined) return undefined;
  return label === "0" || label.startsWith("application.") ? undefined : { kind: "launchd", name: label };
}

/** A container ends, and is started again, with its first process: that is the daemon, or the little init above it. */
function fromContainer({ environment, pid, parentPid, hasFile }: SupervisorFacts): Supervisor | undefined {
  if (pid !== 1 && parentPid !== 1) return undefined;
  // Podman, systemd-nspawn and LXC name themselves to the first process.
  const told = environment["container"];
  if (told) return { kind: "container", name: told };
  const marked = containerMarks.find(([path]) => hasFile(path));
  if (marked !== undefined) return { kind: "container", name: marked[1] };
  return environment["KUBERNETES_SERVICE_HOST"] === undefined
    ? undefined
    : { kind: "container", name: "kubernetes" };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // no /proc, or hidden
  }
}
