// A real systemd, as the service manager of one user, for one test: in a mount namespace, a cgroup and a cgroup namespace of its own, with
// nothing of the machine's. Process ids are the machine's. When the test finishes, everything below it is killed. Needs root.
import { execFile, spawn } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished, vi } from "vitest";
import { newTestHome } from "./test-home.ts";

const program = "/lib/systemd/systemd";

export interface UserManager {
  /** For a command line that is to find this manager and its units. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its standard output, whatever its exit code. */
  readonly systemctl: (...args: readonly string[]) => Promise<string>;
  /** One property of a unit. */
  readonly show: (unit: string, property: string) => Promise<string>;
}

/** The control group of this process in the one hierarchy that all controllers may share. */
function ownGroup(): string | undefined {
  const root = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].find((place) =>
    existsSync(join(place, "cgroup.controllers")),
  );
  const path = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
  return root === undefined || path === undefined ? undefined : join(root, path);
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function findGroup(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !existsSync(program)) return undefined;
  const group = ownGroup();
  return group !== undefined && canWrite(group) ? group : undefined;
}

const parent = findGroup();
export const canRunUserManager = parent !== undefined;

const readiness = { timeout: 10_000, interval: 20 };
let count = 0;

function makeGroup(): string {
  const group = join(parent ?? "", `holdfast-test-${process.pid}-${count++}`);
  mkdirSync(group);
  return group;
}

function groupsBelow(group: string): string[] {
  const names = readdirSync(group, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [...names.flatMap(({ name }) => groupsBelow(join(group, name))), group];
}

async function endGroup(group: string): Promise<void> {
  writeFileSync(join(group, "cgroup.kill"), "1");
  await vi.waitFor(() => {
    const events = readFileSync(join(group, "cgroup.events"), "utf8");
    if (!/^populated 0$/m.test(events)) throw new Error(`${group}: ${events}`);
  }, readiness);
  for (const each of groupsBelow(group)) rmdirSync(each);
}

// /run: a user's systemd starts only where one looks like the system's.
const setUp = `set -e
echo $$ > "$1/cgroup.procs"
exec unshare --mount --propagation private --cgroup sh -ec '
  mount -t cgroup2 none /sys/fs/cgroup
  mount -t tmpfs none /run
  mkdir -p /run/systemd/system
  exec ${program} --user'`;

export async function startUserManager(): Promise<UserManager> {
  const directory = newTestHome();
  const environment = {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: directory,
    XDG_CONFIG_HOME: join(directory, "config"),
    XDG_RUNTIME_DIR: join(directory, "run"),
  };
  mkdirSync(environment.XDG_RUNTIME_DIR, { mode: 0o700 });
  const group = makeGroup();
  spawn("sh", ["-c", setUp, "sh", group], { env: environment, stdio: "ignore" });
  onTestFinished(() => endGroup(group));
  const systemctl = async (...args: readonly string[]): Promise<string> => {
    const command = promisify(execFile)("systemctl", ["--user", ...args], { env: environment });
    return await command.then(
      ({ stdout }) => stdout.trim(),
      (error: unknown) => (error as { stdout: string }).stdout.trim(), // of execFile
    );
  };
  await vi.waitFor(async () => {
    const state = await systemctl("show", "--property=SystemState", "--value");
    if (!/^(?:running|degraded)$/.test(state)) throw new Error(`the manager is ${state}`);
  }, readiness);
  return {
    environment,
    systemctl,
    show: (unit, property) => systemctl("show", `--property=${property}`, "--value", unit),
  };
}
