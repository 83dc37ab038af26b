// The daemon's own log: JSON lines in the home. Never contains environment values, arguments, input or output of processes.
import { pino, type Logger } from "pino";
import type { ConfigReload, ConfigStore } from "../../config/index.ts";
import { homeFiles } from "../../home/index.ts";
import { isHoldfastError } from "../../protocol/errors.ts";
import type { Log, LogFields } from "../../util/log.ts";
import { openErrorOutput } from "./error-output.ts";
import { LogOutput } from "./log-output.ts";
import type { RotatingFileOptions } from "./rotating-file.ts";
import { safeError } from "./safe-error.ts";

export interface DaemonLogOptions {
  readonly home: string;
  /** Whether a terminal shows colours is in it; the level is in the configuration. */
  readonly environment: NodeJS.ProcessEnv;
}

export class DaemonLog implements Log {
  readonly #path: string;
  readonly #output: LogOutput;
  readonly #logger: Logger;
  #isLeaving = false;

  /** Nothing is in the file before follow(): a daemon that finds another one must not write into that one's log. */
  constructor({ home, environment }: DaemonLogOptions) {
    this.#path = homeFiles(home).log;
    this.#output = new LogOutput({
      errorOutput: openErrorOutput(environment),
      onRecovered: (lost) => this.warn({ lost }, "the log can be written again"),
    });
    this.#logger = pino(
      {
        base: { pid: process.pid },
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (level) => ({ level }) },
        serializers: { err: (error: unknown) => safeError(error) },
      },
      this.#output,
    );
  }

  get problems(): readonly string[] {
    return this.#output.problems;
  }

  isEnabled(level: string): boolean {
    return this.#logger.isLevelEnabled(level);
  }

  debug(fields: LogFields, message: string): void {
    this.#logger.debug(fields, message);
  }

  info(fields: LogFields, message: string): void {
    this.#logger.info(fields, message);
  }

  warn(fields: LogFields, message: string): void {
    this.#logger.warn(fields, message);
  }

  error(fields: LogFields, message: string): void {
    this.#logger.error(fields, message);
  }

  /**
   * The home is ours: from here on the file, and the level that is configured, now and whenever it changes. Returns how to leave the
   * file alone, before another has the home.
   */
  follow(config: ConfigStore): () => void {
    const { level, files, fileBytes } = config.current.log;
    this.#logger.level = level;
    this.#output.begin({ path: this.#path, files, fileBytes });
    config.onChange((reload) => {
      this.#logger.level = config.current.log.level;
      this.#tellReload(reload);
    });
    return () => {
      if (this.#isLeaving) this.info({}, "gone");
      this.#output.end();
    };
  }

  /** Why the daemon goes; with the error when it is one nobody foresaw. */
  leave(reason: string, error?: unknown): void {
    this.#isLeaving = true;
    if (error === undefined) {
      this.#logger.info({ reason }, "going");
      return;
    }
    this.#logger.fatal({ reason, err: error }, "going after an error nobody foresaw");
    // The program ends in this very turn: what waits has no other chance.
    this.#output.begin(this.#addOnly);
    this.#output.end();
  }

  /** Whoever holds the home rotates its files: from here on lines are only added, and none where another daemon writes. */
  cannotStart(error: unknown): void {
    this.#logger.fatal({ err: error }, "cannot start");
    if (isHoldfastError(error) && error.code.startsWith("DAEMON_")) return;
    this.#output.begin(this.#addOnly);
  }

  get #addOnly(): RotatingFileOptions {
    return { path: this.#path, files: 1, fileBytes: Infinity };
  }

  /** Keys and places only: a value may be a secret on a wrong line. */
  #tellReload(reload: ConfigReload): void {
    if (reload.kind === "applied") {
      const { changed, pending } = reload;
      this.info({ changed, ...(pending.length === 0 ? {} : { pending }) }, "the configuration changed");
      return;
    }
    const problems = reload.problems.map(({ file, line, key }) => ({ file, line, key }));
    this.warn({ problems }, "the configuration has a problem; the last good one stays in force");
  }
}
