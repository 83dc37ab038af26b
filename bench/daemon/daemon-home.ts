// A home with the built daemon in it, as an installed package would run it.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { connect, type Client } from "../../src/sdk/index.ts";
import { benchEnvironment } from "../keeper/bench-home.ts";

export class DaemonHome {
  readonly path: string;
  readonly #program: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #nodeOptions: readonly string[];
  #child: ChildProcess | undefined;

  private constructor(scratch: string, program: string) {
    this.path = mkdtempSync(join(scratch, "home-"));
    this.#program = program;
    this.#nodeOptions = (process.env["HOLDFAST_BENCH_NODE_OPTIONS"] ?? "").split(" ").filter(Boolean);
    this.#environment = {
      ...benchEnvironment,
      HOME: scratch,
      SHELL: "/bin/sh",
      HOLDFAST_HOME: this.path,
      HOLDFAST_PROCESSES_MAX_RUNNING: "2000",
      NODE_COMPILE_CACHE: join(scratch, "compile-cache"),
    };
  }

  static async open(scratch: string, program: string): Promise<DaemonHome> {
    const home = new DaemonHome(scratch, program);
    await home.start();
    return home;
  }

  get daemonPid(): number {
    return this.#child?.pid ?? 0;
  }

  get environment(): Readonly<Record<string, string>> {
    return this.#environment;
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [...this.#nodeOptions, this.#program], {
      env: this.#environment,
      cwd: "/",
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child = child;
    const [said] = (await Promise.race([once(child.stdout, "data"), once(child, "exit")])) as [unknown];
    if (!Buffer.isBuffer(said)) throw new Error(`the daemon ended with ${String(said)}`);
  }

  async kill(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  }

  async connect(): Promise<Client> {
    return await connect({ home: this.path });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const client = await this.connect();
    await client.process.stop({ all: true, graceMs: 0 });
    client.close();
    await this.kill("SIGTERM");
    const lock = readFileSync(join(this.path, "launcher.lock"), "utf8");
    process.kill(Number(/^pid (\d+)$/m.exec(lock)?.[1]), "SIGTERM");
  }
}
