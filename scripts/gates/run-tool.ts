// Runs one tool of the project and keeps what it printed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, dirname, join } from "node:path";

export const repository = join(import.meta.dirname, "../..");

export interface ToolOutcome {
  readonly code: number;
  readonly output: string;
}

export interface ToolOptions {
  /** Shows the output while the tool runs: for tools that take longer than a person waits in silence. */
  readonly show?: boolean;
}

/** The project's own tools and Node come first in PATH, whatever the caller has. */
function toolEnvironment(): NodeJS.ProcessEnv {
  const path = [join(repository, "node_modules/.bin"), dirname(process.execPath), process.env["PATH"] ?? ""];
  return { ...process.env, PATH: path.join(delimiter) };
}

/** Runs a tool in the repository. A tool killed by a signal counts as failed with code 1. */
export async function runTool(
  program: string,
  args: readonly string[],
  options: ToolOptions = {},
): Promise<ToolOutcome> {
  const child = spawn(program, args, {
    cwd: repository,
    env: toolEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (options.show) process.stdout.write(chunk);
    });
  }
  try {
    const [code] = (await once(child, "close")) as [number | null];
    return { code: code ?? 1, output: Buffer.concat(chunks).toString() };
  } catch (error) {
    return { code: 127, output: `cannot run ${program}: ${String(error)}` };
  }
}

/** The first number that `pattern` captures, or 0 when the tool did not say. */
export function countIn(output: string, pattern: RegExp): number {
  return Number(pattern.exec(output)?.[1] ?? 0);
}
