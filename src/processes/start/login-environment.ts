// The environment a person has after logging in, for callers that have none of their own: captured once from the login shell,
// captured again when one of its start-up files changes.
import { stat } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import { basename, join } from "node:path";
import { randomBytes } from "node:crypto";
import { HoldfastError } from "../../protocol/errors.ts";

export type Environment = Readonly<Record<string, string>>;

/** Runs a command to its end as a kept process and gives its standard output; the tree is gone when it returns. */
export type RunToEnd = (request: {
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly timeoutMs: number;
}) => Promise<Buffer>;

export interface LoginEnvironmentOptions {
  readonly run: RunToEnd;
  readonly timeoutMs: () => number;
  /** Of the daemon: only where the login shell says nothing. */
  readonly environment: NodeJS.ProcessEnv;
}

const startupFiles = [
  ".profile",
  ".bash_profile",
  ".bash_login",
  ".bashrc",
  ".zshenv",
  ".zprofile",
  ".zshrc",
  ".zlogin",
  ".kshrc",
];
const systemFiles = [
  "/etc/profile",
  "/etc/environment",
  "/etc/bash.bashrc",
  "/etc/zsh/zshenv",
  "/etc/zsh/zprofile",
];

// What belongs to the shell that was asked, not to the person.
const ofTheShell = new Set(["_", "SHLVL", "PWD", "OLDPWD"]);

export class LoginEnvironment {
  readonly #options: LoginEnvironmentOptions;
  #looking: Promise<string> | undefined;
  #nextLook: Promise<string> | undefined;
  #captured: { readonly fingerprint: string; readonly variables: Promise<Environment> } | undefined;

  constructor(options: LoginEnvironmentOptions) {
    this.#options = options;
  }

  async get(): Promise<Environment> {
    const fingerprint = await this.#look();
    if (this.#captured?.fingerprint !== fingerprint) {
      this.#captured = { fingerprint, variables: this.#capture() };
    }
    return await this.#captured.variables;
  }

  /**
   * Starts that come while one look is under way share the next one: each look begins after they asked, and a burst of starts does not
   * fill the thread pool with fourteen reads of the same files each.
   */
  async #look(): Promise<string> {
    if (this.#looking === undefined) return await this.#lookNow();
    this.#nextLook ??= this.#looking.then(() => this.#lookNow());
    return await this.#nextLook;
  }

  #lookNow(): Promise<string> {
    const look = fingerprintFiles().finally(() => {
      if (this.#looking === look) this.#looking = undefined;
    });
    this.#looking = look;
    this.#nextLook = undefined;
    return look;
  }

  /** A login shell that fails or hangs costs its time once, not for every command: the minimal environment stands in. */
  async #capture(): Promise<Environment> {
    const minimal = minimalEnvironment(this.#options.environment);
    try {
      const marker = randomBytes(16).toString("hex");
      const script = `printf '%s\\0' ${marker}; env -0; printf '%s\\0' ${marker}`;
      const shell = minimal["SHELL"] ?? "/bin/sh";
      const output = await this.#options.run({
        argv: [shell, "-l", "-c", script],
        env: minimal,
        timeoutMs: this.#options.timeoutMs(),
      });
      return { ...minimal, ...parseBetween(output, marker) };
    } catch {
      return minimal;
    }
  }
}

/** The variables between two markers; what start-up files print stands outside. */
export function parseBetween(output: Buffer, marker: string): Environment {
  const entries = output.toString("utf8").split("\0");
  const first = entries.findIndex((entry) => entry.endsWith(marker));
  const last = entries.lastIndexOf(marker);
  if (first < 0 || last <= first) {
    throw new HoldfastError("INTERNAL", "The login shell did not print its environment.");
  }
  const variables: Record<string, string> = {};
  for (const entry of entries.slice(first + 1, last)) {
    const at = entry.indexOf("=");
    const name = entry.slice(0, at);
    if (at > 0 && !ofTheShell.has(name)) variables[name] = entry.slice(at + 1);
  }
  return variables;
}

function minimalEnvironment(environment: NodeJS.ProcessEnv): Environment {
  const user = userInfo();
  const shell = environment["SHELL"] ?? user.shell ?? "/bin/sh";
  const locale = environment["LANG"] === undefined ? {} : { LANG: environment["LANG"] };
  return {
    PATH: environment["PATH"] ?? "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    HOME: environment["HOME"] ?? homedir(),
    USER: user.username,
    LOGNAME: user.username,
    SHELL: basename(shell) === shell ? `/bin/${shell}` : shell,
    ...locale,
  };
}

/** Changes when a start-up file of a shell does. */
export async function fingerprintFiles(): Promise<string> {
  const files = [...startupFiles.map((name) => join(process.env["HOME"] ?? homedir(), name)), ...systemFiles];
  const stamps = await Promise.all(
    files.map(async (file) => {
      const found = await stat(file).catch(() => undefined); // most of them do not exist
      return found === undefined ? "" : `${found.mtimeMs}:${found.size}`;
    }),
  );
  return stamps.join(" ");
}
