// A home with a launcher of its own for one measurement; everything started in it is ended afterwards.
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { installBinary, KeptProcess, Launcher, runsDirectory, scanRuns } from "../../src/keeper/index.ts";
import type { StartedRun, StartRequest } from "../../src/keeper/index.ts";

export class BenchHome {
  readonly path: string;
  readonly binary: string;
  readonly launcher: Launcher;
  #runCount = 0;

  private constructor(path: string, binary: string, launcher: Launcher) {
    this.path = path;
    this.binary = binary;
    this.launcher = launcher;
  }

  /** In a fresh folder of the scratch directory, which its owner removes. */
  static async open(scratch: string): Promise<BenchHome> {
    const path = mkdtempSync(join(scratch, "home-"));
    const binary = await installBinary(path);
    return new BenchHome(path, binary, await Launcher.open({ home: path, binary, environment: {} }));
  }

  get launcherPid(): number {
    const line = /^pid (\d+)$/m.exec(readFileSync(join(this.path, "launcher.lock"), "utf8"));
    return Number(line?.[1]);
  }

  async start(request: Partial<StartRequest> & Pick<StartRequest, "argv">): Promise<StartedRun> {
    const id = `b${process.pid}_${++this.#runCount}`;
    const outcome = await this.launcher.start({ id, env: benchEnvironment, cwd: "/", ...request });
    if (outcome.kind === "failed") throw new Error(`the start failed: ${JSON.stringify(outcome)}`);
    return outcome;
  }

  /** Polls: reading the output would be work for the keeper that is measured. */
  async outputReaches(run: StartedRun, bytes: number): Promise<void> {
    await using kept = new KeptProcess(this.launcher.run(run.id));
    const deadline = performance.now() + 30_000;
    for (let seen = 0; seen < bytes; seen = (await kept.state()).outputBytes) {
      if (performance.now() > deadline) throw new Error(`${run.id} wrote only ${seen} of ${bytes} bytes`);
      await delay(5);
    }
  }

  /** Ends every run that is still there, whoever started it. */
  async stopAll(): Promise<void> {
    for (const [id, status] of await scanRuns(this.binary, runsDirectory(this.path))) {
      if (status === "unkept") await this.launcher.recover(id);
      if (status !== "live" && status !== "unkept") continue;
      await using kept = new KeptProcess(this.launcher.run(id));
      await kept.stop({ graceMs: 0 });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopAll();
    const pid = this.launcherPid;
    await this.launcher.close();
    process.kill(pid, "SIGTERM");
    // It removes the directories it made ahead of need before it goes.
    while (isThere(pid)) await delay(1);
  }
}

/** Of everything that is measured, on both sides. */
export const benchEnvironment = { PATH: "/usr/bin:/bin" };

/** False for a zombie too: an orphan waits for process 1, which may take seconds. */
function isThere(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}
