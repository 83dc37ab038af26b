// A home with a real launcher for one test: everything started in it is ended and the launcher is killed when the test finishes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  installBinary,
  KeptProcess,
  Launcher,
  runDirectory,
  runsDirectory,
  scanRuns,
} from "../../src/keeper/index.ts";
import type { StartedRun, StartRequest } from "../../src/keeper/index.ts";
import type { ExitRecord } from "../../src/protocol/exit.ts";
import { newTestHome } from "./test-home.ts";

export type PartialRequest = Partial<StartRequest> & Pick<StartRequest, "argv">;

export interface KeeperHome {
  readonly home: string;
  readonly binary: string;
  readonly launcher: Launcher;
  /** Fills in id, environment and directory; fails the test when the start fails. */
  start(request: PartialRequest): Promise<StartedRun>;
  /** `start` with `/bin/sh -c`. */
  shell(script: string, request?: Partial<StartRequest>): Promise<StartedRun>;
  kept(id: string): KeptProcess;
  directory(id: string): string;
  launcherPid(): number;
}

/** Of a start that has nothing to do with its deadline: a busy machine may need longer for many at once than a user waits. */
export const startPatience = { timeoutMs: 30_000 };

let runCount = 0;

export function nextRunId(): string {
  runCount += 1;
  return `t${process.pid}_${runCount}`;
}

export function completeRequest(request: PartialRequest): StartRequest {
  return { id: nextRunId(), env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" }, cwd: "/", ...request };
}

function readLauncherPid(home: string): number {
  const line = /^pid (\d+)$/m.exec(readFileSync(join(home, "launcher.lock"), "utf8"));
  return Number(line?.[1]);
}

/** With a launcher of its own: the test may have closed or killed the one it had. */
async function endEverything(home: string, binary: string, used: Launcher): Promise<void> {
  await used.close();
  const launcher = await Launcher.open({ home, binary, environment: {} });
  for (const [id, status] of await scanRuns(binary, runsDirectory(home))) {
    if (status === "ended" || status === "fenced" || status === "abandoned") continue;
    if (status !== "live") await launcher.recover(id);
    const kept = new KeptProcess(launcher.run(id));
    await kept.stop({ graceMs: 0 });
    kept.close();
  }
  await launcher.close();
  process.kill(readLauncherPid(home), "SIGKILL");
}

/** Opens a launcher in a fresh home (or the given one), of this build (or the given one). */
export async function openKeeperHome(
  home: string = newTestHome(),
  otherBinary?: string,
): Promise<KeeperHome> {
  const binary = otherBinary ?? (await installBinary(home));
  const launcher = await Launcher.open({ home, binary, environment: {} });
  onTestFinished(() => endEverything(home, binary, launcher), 30_000);
  const start = async (request: PartialRequest): Promise<StartedRun> => {
    const outcome = await launcher.start(completeRequest(request), startPatience);
    if (outcome.kind !== "started") throw new Error(`start failed: ${JSON.stringify(outcome)}`);
    return outcome;
  };
  return {
    home,
    binary,
    launcher,
    start,
    shell: (script, request = {}) => start({ argv: ["/bin/sh", "-c", script], ...request }),
    kept: (id) => new KeptProcess({ directory: runDirectory(home, id), recover: () => launcher.recover(id) }),
    directory: (id) => runDirectory(home, id),
    launcherPid: () => readLauncherPid(home),
  };
}

/** All bytes from an offset to the end of the run (or to the present end when not following). */
export async function collectOutput(
  kept: KeptProcess,
  options: { from?: number; follow?: boolean } = {},
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const event of kept.output({ from: options.from ?? 0, follow: options.follow ?? true }))
    if (event.kind === "data") parts.push(event.bytes);
  return Buffer.concat(parts);
}

/** Waits until the run's output contains the text; fails after the deadline with what was seen. */
export async function outputContains(kept: KeptProcess, text: string, deadlineMs = 20_000): Promise<void> {
  let seen = "";
  try {
    for await (const event of kept.output({
      from: 0,
      follow: true,
      signal: AbortSignal.timeout(deadlineMs),
    })) {
      if (event.kind === "data") seen += event.bytes.toString("latin1");
      if (seen.includes(text)) return;
    }
  } catch (error) {
    throw new Error(`"${text}" did not come; output so far: ${JSON.stringify(seen.slice(-2000))}`, {
      cause: error,
    });
  }
  throw new Error(`the run ended without "${text}"; output: ${JSON.stringify(seen.slice(-2000))}`);
}

export type { ExitRecord };
