// Shells of sessions in a real daemon whose memory folder is the test's own.
import { mkdtempSync, rmSync } from "node:fs";
import { onTestFinished } from "vitest";
import type { OperationInput, OperationOutput } from "../../src/protocol/operations.ts";
import { ask } from "./daemon-calls.ts";
import { openDaemonHome, type DaemonHome } from "./daemon-home.ts";
import { newTestHome } from "./test-home.ts";

export const shells = ["/bin/bash", "/usr/bin/zsh", "/bin/dash"] as const;

export interface ShellRun {
  readonly output: string;
  readonly code: number | undefined;
  readonly process: OperationOutput<"process.get">;
  readonly notes: readonly string[];
}

type StartRequest = OperationInput<"process.start">;
/** `shell: undefined` for a plain start. */
export type ShellStart = { readonly [Field in keyof StartRequest]?: StartRequest[Field] | undefined };

export interface ShellHome {
  readonly daemon: DaemonHome;
  /** HOME of the user whose start-up files are read. */
  readonly userHome: string;
  /** Where state is kept between commands. */
  readonly memory: string;
  /** Begins a command of a session, run by this shell. */
  readonly start: (
    shell: string,
    session: string,
    command: string,
    more?: ShellStart,
  ) => Promise<OperationOutput<"process.start">>;
  /** Runs one to its end. */
  readonly run: (shell: string, session: string, command: string, more?: ShellStart) => Promise<ShellRun>;
}

const searchPath = "/usr/local/bin:/usr/bin:/bin:/usr/games";

/** `prepare` writes start-up files before the daemon starts. */
export async function openShellHome(
  options: { prepare?: (userHome: string) => void; environment?: Record<string, string> } = {},
): Promise<ShellHome> {
  const userHome = newTestHome();
  options.prepare?.(userHome);
  // In memory, as a login gives it; everything else of a test is on a disk.
  const memory = mkdtempSync("/dev/shm/hf-test-");
  onTestFinished(() => rmSync(memory, { recursive: true, force: true }));
  const environment = { HOME: userHome, XDG_RUNTIME_DIR: memory, ...options.environment };
  const daemon = await openDaemonHome({ environment });
  const start: ShellHome["start"] = async (shell, session, command, more = {}) => {
    const caller = { PATH: searchPath, HOME: userHome, SHELL: shell };
    const asked = { command, shell: { session }, mode: "merged", ...more };
    const input = { ...asked, environment: { caller, ...more.environment } } as StartRequest; // JSON leaves undefined out
    return await ask(daemon, "process.start", input);
  };
  const run: ShellHome["run"] = async (...request) => {
    const { id, notes } = await start(...request);
    await ask(daemon, "process.wait", { ids: [id] });
    const process = await ask(daemon, "process.get", { id });
    const { text } = await ask(daemon, "process.output", { id, format: "text" });
    const code = process.exit?.kind === "exited" ? process.exit.code : undefined;
    return { output: text ?? "", code, process, notes };
  };
  return { daemon, userHome, memory, start, run };
}
