// From a keystroke to its echo, typed one at a time into a raw terminal with `cat` on it.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { KeeperConnection, connectUnixSocket, type StartedRun } from "../../src/keeper/index.ts";
import { BenchHome, benchEnvironment } from "./bench-home.ts";
import { compileProgram } from "./compile-program.ts";
import { median, quantile } from "./statistics.ts";
import { barRow, infoRow, rounds, type Row } from "./table.ts";

const roundCount = 5;
const keyCount = 1_000;
const mostAddedUs = 300;
// Raw, so that the echo comes from the program, as with every line editor, and not from the terminal itself.
const echoing = ["/bin/sh", "-c", "stty raw -echo; printf ready; exec cat"] as const;

async function microsecondsOf(program: string, args: readonly string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(program, args, { env: benchEnvironment });
  return Number(stdout);
}

async function openTerminal(home: BenchHome): Promise<StartedRun> {
  const run = await home.start({ argv: echoing, mode: "pty" });
  await using connection = await KeeperConnection.open(await connectUnixSocket(run.directory, "sock"));
  let seen = "";
  for await (const event of connection.output({ from: 0, follow: true })) {
    if (event.kind === "data") seen += event.bytes.toString();
    if (seen.includes("ready")) return run;
  }
  throw new Error(`the terminal ended and said ${seen}`);
}

async function typeFromNode(directory: string): Promise<number> {
  await using typing = await KeeperConnection.open(await connectUnixSocket(directory, "sock"));
  const output = typing.output({ from: typing.state.outputBytes, follow: true });
  const times: number[] = [];
  for (let index = 0; index < keyCount; index++) {
    const key = Buffer.of(97 + (index % 26));
    const before = performance.now();
    const written = typing.write(8n, index, key);
    for (let echo: number | undefined; echo !== key[0];) {
      const { value } = await output.next();
      if (value === undefined) throw new Error("the terminal ended");
      if (value.kind === "data") echo = value.bytes.at(-1);
    }
    times.push((performance.now() - before) * 1000);
    await written;
  }
  return quantile(times, 0.5);
}

export async function measureEcho(scratch: string): Promise<readonly Row[]> {
  await using home = await BenchHome.open(scratch);
  const bareProgram = compileProgram(scratch, "echo-bare");
  const keptProgram = compileProgram(scratch, "echo-kept");
  const [bare, kept, fromNode]: [number[], number[], number[]] = [[], [], []];
  for (let index = 0; index <= roundCount; index++) {
    const { directory } = await openTerminal(home);
    const times = [
      await microsecondsOf(bareProgram, [String(keyCount), ...echoing]),
      await microsecondsOf(keptProgram, [String(keyCount), directory]),
      await typeFromNode(directory),
    ] as const;
    if (index === 0) continue;
    bare.push(times[0]);
    kept.push(times[1]);
    fromNode.push(times[2]);
  }
  const added = median(kept) - median(bare);
  return [
    barRow({
      work: "keystroke to echo through a PTY, p50, C client",
      ours: rounds(kept, "µs", 0),
      other: `${rounds(bare, "µs", 0)} bare PTY, C`,
      ratio: `+${added.toFixed(0)} µs`,
      bar: `at most +${mostAddedUs} µs`,
      holds: added <= mostAddedUs,
    }),
    infoRow(
      "… from Node, a KeeperConnection",
      rounds(fromNode, "µs", 0),
      `${rounds(bare, "µs", 0)} bare PTY, C`,
      `+${(median(fromNode) - median(bare)).toFixed(0)} µs`,
    ),
  ];
}
