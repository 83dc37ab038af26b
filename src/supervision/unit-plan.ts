// What a unit file is made from: one daemon, under one service manager.
import { isAbsolute, join } from "node:path";
import { HoldfastError } from "../protocol/errors.ts";
import { findAccount, ownAccount, type Account } from "./accounts.ts";
import { commandLineProgram } from "./command-line-program.ts";
import { unitName } from "./unit-name.ts";

export type Manager = "systemd" | "launchd";
/** user: of one person's service manager. system: of the machine's. */
export type Scope = "user" | "system";

/** The exit codes of the daemon that a service manager must tell apart. */
export interface UnitExitCodes {
  /** It was meant to go: a stop, a takeover. */
  readonly done: number;
  /** It asks to be started again. */
  readonly restart: number;
  /** Starting it again changes nothing. */
  readonly configuration: number;
  /** SIGTERM, which is how a service manager stops it. */
  readonly terminated: number;
}

/** What whoever asks knows about the daemon. */
export interface DaemonFacts {
  readonly version: string;
  readonly exitCodes: UnitExitCodes;
  /** How long the daemon lets open waits finish when it is told to go; null: nobody here knows the configuration. */
  readonly drainMs: number | null;
}

export interface UnitRequest extends DaemonFacts {
  readonly environment: NodeJS.ProcessEnv;
  /** Default: the one of this operating system. */
  readonly manager?: Manager | undefined;
  readonly scope: Scope;
  /** Default: HOLDFAST_HOME of the environment, else the default home of the account. */
  readonly home?: string | undefined;
  /** Of the account that the daemon of a system unit runs as; default: whoever asks, also through sudo. */
  readonly user?: string | undefined;
  /** Another file system to write to, as for `systemctl --root`; default: this one. */
  readonly root?: string | undefined;
}

export interface UnitPlan extends DaemonFacts {
  readonly manager: Manager;
  readonly scope: Scope;
  readonly home: string;
  readonly account: Account;
  /** Without its ending: holdfast, holdfast-work-1a2b3c4d. */
  readonly name: string;
  /** With its ending, as its manager calls it. */
  readonly fullName: string;
  readonly file: string;
  /** Node, the command line's program and its arguments. */
  readonly command: readonly string[];
  readonly root: string;
}

/** @throws HoldfastError INVALID_ARGUMENT */
export function planUnit(request: UnitRequest): UnitPlan {
  const { environment, scope, root = "", version, exitCodes, drainMs } = request;
  const manager = request.manager ?? managerOfPlatform();
  if (scope === "user" && request.user !== undefined) {
    throw new HoldfastError("INVALID_ARGUMENT", "A user's unit runs as that user: --user needs --system.", {
      hint: "Add --system, or log in as that user and leave --user out.",
    });
  }
  if (manager === "launchd" && scope === "system") {
    throw new HoldfastError("INVALID_ARGUMENT", "There is no machine-wide form of the launchd file.", {
      hint: "Leave --system out: the file is for the user who is logged in.",
    });
  }
  const account = scope === "user" ? ownAccount(environment) : accountOfSystemUnit(request, root);
  const home = checkedHome(request.home ?? homeOfAccount(environment, account));
  const name = unitName({ home, account, scope });
  const fullName = manager === "systemd" ? `${name}.service` : name;
  return {
    manager,
    scope,
    home,
    account,
    name,
    fullName,
    file: join(root, folderOf(manager, scope, environment, account), fileName(manager, name)),
    command: [process.execPath, commandLineProgram(), "daemon", "run"],
    root,
    version,
    exitCodes,
    drainMs,
  };
}

function managerOfPlatform(): Manager {
  return process.platform === "darwin" ? "launchd" : "systemd";
}

/** Under sudo it is the person who typed that; root only when root itself asks. */
function accountOfSystemUnit({ environment, user }: UnitRequest, root: string): Account {
  const named = user ?? (process.getuid?.() === 0 ? environment["SUDO_USER"] : undefined);
  return named ? findAccount(named, root) : ownAccount(environment);
}

function homeOfAccount(environment: NodeJS.ProcessEnv, account: Account): string {
  return environment["HOLDFAST_HOME"] || account.defaultHome;
}

function checkedHome(home: string): string {
  // A line of a unit file ends where the path would go on, and no escape brings it back in every place.
  if (isAbsolute(home) && !/\p{Cc}/u.test(home)) return home;
  throw new HoldfastError(
    "INVALID_ARGUMENT",
    `${JSON.stringify(home)} cannot stand in a unit: it is not absolute, or has a control character.`,
    { hint: "Set HOLDFAST_HOME to an absolute path without such characters." },
  );
}

function folderOf(manager: Manager, scope: Scope, environment: NodeJS.ProcessEnv, account: Account): string {
  if (manager === "launchd") return join(account.homeDirectory, "Library/LaunchAgents");
  if (scope === "system") return "/etc/systemd/system";
  return join(environment["XDG_CONFIG_HOME"] || join(account.homeDirectory, ".config"), "systemd/user");
}

function fileName(manager: Manager, name: string): string {
  return manager === "systemd" ? `${name}.service` : `${name}.plist`;
}
