// The command line at a terminal: a real PTY, held by a keeper of its own.
import { constants } from "node:os";
import type { KeptProcess } from "../../src/keeper/index.ts";
import type { ExitRecord } from "../../src/protocol/exit.ts";
import type { CliHome } from "./cli-home.ts";
import { cliProgram, programCommand } from "./programs.ts";
import { collectOutput, outputContains, type KeeperHome } from "./keeper-home.ts";

export interface CliTerminal {
  type(text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  signal(name: NodeJS.Signals): Promise<void>;
  /** Resolves when everything shown so far contains the text. */
  shows(text: string): Promise<void>;
  /** Everything shown. */
  text(): Promise<string>;
  readonly ended: Promise<ExitRecord>;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A program at a terminal of its own. */
export async function openTerminal(
  keeper: KeeperHome,
  argv: readonly string[],
  { columns = 80, rows = 24, environment = {} }: TerminalOptions = {},
): Promise<CliTerminal> {
  const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", TERM: "xterm-256color", ...environment };
  const run = await keeper.start({ argv, mode: "pty", columns, rows, env });
  const kept: KeptProcess = keeper.kept(run.id);
  const close = (): void => kept.close();
  // A shell that is still there when the test finishes has no end that anybody hears of.
  void run.ended.then(close, close);
  return {
    type: async (text) => await kept.write(text),
    resize: async (width, height) => await kept.resize(width, height),
    signal: async (name) => void (await kept.signal(constants.signals[name])),
    shows: async (text) => await outputContains(keeper.kept(run.id), text, 30_000),
    text: async () => (await collectOutput(keeper.kept(run.id), { follow: false })).toString(),
    ended: run.ended,
  };
}

/** `holdfast ARGS` at a terminal of its own. */
export async function openCliTerminal(
  keeper: KeeperHome,
  cli: CliHome,
  args: readonly string[],
  options: TerminalOptions = {},
): Promise<CliTerminal> {
  const environment = { ...cli.environment, ...options.environment };
  return await openTerminal(keeper, programCommand(cliProgram, ...args), { ...options, environment });
}
