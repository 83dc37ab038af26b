// Runs the start worker as a process of its own.
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { benchEnvironment, type BenchHome } from "./bench-home.ts";
import type { StartResults, StartTimes, StartWay, StartWork } from "./start-worker.ts";

const worker = join(import.meta.dirname, "start-worker.ts");

export async function startInWorker(
  home: BenchHome,
  work: Omit<StartWork, "home" | "binary">,
): Promise<StartResults> {
  const complete: StartWork = { ...work, home: home.path, binary: home.binary };
  const { stdout } = await promisify(execFile)(process.execPath, [worker, JSON.stringify(complete)], {
    // Types stripped from a cache: the stripper in memory would double a small process.
    env: { ...benchEnvironment, NODE_COMPILE_CACHE: join(dirname(home.path), "compile-cache") },
  });
  return JSON.parse(stdout) as StartResults;
}

export function timesOf(results: StartResults, way: StartWay): StartTimes {
  const times = results[way];
  if (times === undefined) throw new Error(`the worker did not measure ${way}`);
  return times;
}
