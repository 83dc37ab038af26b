// What every command has: the home's daemon, and ways to tell a person or a program something.
import type { Client } from "../client/index.ts";
import { connect } from "../client/node.ts";
import { safeJson } from "../util/safe-text.ts";
import { safeLines } from "./format/safe-text.ts";
import { hasColour, painter, type Paint } from "./format/style.ts";
import { homeOf } from "./home.ts";

export interface ClientChoice {
  /** False: only a daemon that runs already. */
  readonly start: boolean;
}

export class Cli {
  readonly environment: NodeJS.ProcessEnv;
  readonly home: string;
  /** What the shell is told in the end. */
  exitCode = 0;
  #client: Promise<Client> | undefined;

  constructor(environment: NodeJS.ProcessEnv) {
    this.environment = environment;
    this.home = homeOf(environment);
  }

  /** Starts a daemon when none runs. @throws HoldfastError DAEMON_UNREACHABLE, CONFIG_INVALID */
  client(choice: ClientChoice = { start: true }): Promise<Client> {
    this.#client ??= connect({
      home: this.home,
      session: this.session,
      ...(choice.start ? { startDaemon: () => this.#startDaemon() } : {}),
    });
    return this.#client;
  }

  /** The session this command line belongs to, if any. */
  get session(): string | undefined {
    return this.environment["HOLDFAST_SESSION"] || undefined;
  }

  get task(): string | undefined {
    return this.environment["HOLDFAST_TASK"] || undefined;
  }

  /** Width of the terminal on standard output; undefined when it is none. */
  get columns(): number | undefined {
    return process.stdout.isTTY ? process.stdout.columns : undefined;
  }

  get paint(): Paint {
    return painter(hasColour(process.stdout.isTTY, this.environment));
  }

  /** Text of ours on standard output, as it is. */
  print(text: string): void {
    process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
  }

  /** On one line for programs, indented for people. */
  printJson(value: unknown): void {
    const json = JSON.stringify(value, undefined, process.stdout.isTTY ? 2 : undefined);
    process.stdout.write(`${json.split("\n").map(safeJson).join("\n")}\n`);
  }

  /** A remark on standard error; it may quote what a process or a file says. */
  note(text: string): void {
    process.stderr.write(`${safeLines(text)}\n`);
  }

  async close(): Promise<void> {
    // A client that could not be opened has told why already.
    await this.#client?.then((client) => client.close()).catch(() => undefined);
  }

  async #startDaemon(): Promise<void> {
    // Loaded only when it is needed: what spawns costs a command line a millisecond to load.
    const { startDaemon } = await import("./start-daemon.ts");
    await startDaemon(this.home, this.environment);
  }
}
