// A program of its own, so that the process that starts the others is as small (or as big) as the measurement says:
// `node start-worker.ts JSON` prints the times of its rounds as JSON.
import { spawn } from "node:child_process";
import { Launcher, type Confinement } from "../../src/keeper/index.ts";
import { benchEnvironment } from "./bench-home.ts";
import { quantile } from "./statistics.ts";

export interface StartWork {
  readonly home: string;
  readonly binary: string;
  /** Touched memory of the starting process. */
  readonly ballastMiB: number;
  readonly rounds: number;
  /** Starts per round and way. */
  readonly count: number;
  readonly atOnce: number;
  readonly ways: readonly StartWay[];
}

/** `node exit` ends at the event "exit", when the output may not be known yet; `node` at "close". */
export type StartWay = "ours" | "confined" | "node" | "node exit";

export interface StartTimes {
  /** Milliseconds from start to end known, median of each round. */
  readonly p50: readonly number[];
  /** Milliseconds of each whole round. */
  readonly total: readonly number[];
  /** Of the starting process. */
  readonly residentMiB: number;
}

export type StartResults = Partial<Record<StartWay, StartTimes>>;

const program = "/bin/true";
let runCount = 0;

/** A workspace, temporary directories, devices; and terminals and shared memory of its own. */
const confinement: Confinement = {
  write: ["/tmp", "/var/tmp", "/dev/null", "/dev/zero", "/dev/tty", "/dev/ptmx", "/dev/pts", "/dev/shm"],
  hide: ["/dev/pts", "/dev/shm"],
  show: [],
};

async function startOurs(
  launcher: Launcher,
  more: { readonly confinement?: Confinement } = {},
): Promise<void> {
  const id = `w${process.pid}_${++runCount}`;
  const outcome = await launcher.start({ id, argv: [program], env: benchEnvironment, cwd: "/", ...more });
  if (outcome.kind === "failed") throw new Error(`the start failed: ${JSON.stringify(outcome)}`);
  const { exit } = await outcome.ended;
  if (exit.kind !== "exited" || exit.code !== 0) throw new Error(`an odd end: ${JSON.stringify(exit)}`);
}

function startNode(event: "close" | "exit"): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [], {
      env: benchEnvironment,
      cwd: "/",
      stdio: ["ignore", "pipe", "pipe"],
    });
    // Read, as whoever wants the output does: an unread pipe never closes.
    child.stdout.resume();
    child.stderr.resume();
    child.once("error", reject);
    child.once(event, (code: number | null) =>
      code === 0 ? resolve() : reject(new Error(`exit code ${code}`)),
    );
  });
}

async function round(start: () => Promise<void>, work: StartWork): Promise<{ p50: number; total: number }> {
  const times: number[] = [];
  let left = work.count;
  const began = performance.now();
  const one = async (): Promise<void> => {
    while (left-- > 0) {
      const before = performance.now();
      await start();
      times.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: work.atOnce }, one));
  return { p50: quantile(times, 0.5), total: performance.now() - began };
}

async function measure(work: StartWork): Promise<StartResults> {
  const ballast = Array.from({ length: work.ballastMiB }, () => Buffer.alloc(1 << 20, 1));
  await using launcher = await Launcher.open({ home: work.home, binary: work.binary, environment: {} });
  const starts: Record<StartWay, () => Promise<void>> = {
    ours: () => startOurs(launcher),
    confined: () => startOurs(launcher, { confinement }),
    node: () => startNode("close"),
    "node exit": () => startNode("exit"),
  };
  const times = new Map(work.ways.map((way) => [way, { p50: [] as number[], total: [] as number[] }]));
  // Round 0 warms up. The order turns, so that nobody always comes second.
  for (let index = 0; index <= work.rounds; index++) {
    const ways = index % 2 === 0 ? work.ways : work.ways.toReversed();
    for (const way of ways) {
      const { p50, total } = await round(starts[way], work);
      if (index === 0) continue;
      times.get(way)?.p50.push(p50);
      times.get(way)?.total.push(total);
    }
  }
  const residentMiB = process.memoryUsage.rss() / (1 << 20);
  if (ballast.length !== work.ballastMiB) throw new Error("the ballast is gone");
  return Object.fromEntries([...times].map(([way, result]) => [way, { ...result, residentMiB }]));
}

if (import.meta.main) {
  // The parent wrote it: see start-latency.ts.
  const work = JSON.parse(process.argv[2] ?? "") as StartWork;
  process.stdout.write(JSON.stringify(await measure(work)));
}
