// The configuration of a running daemon: what is in force, where it comes from, and how it changes while it runs.
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import type { ConfigValue, configCheckOutputSchema } from "../protocol/daemon.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { configFileName } from "./config-file.ts";
import { FileWatch } from "./file-watch.ts";
import { configTable, findKey } from "./keys.ts";
import type { ConfigProblem } from "./layer.ts";
import { configInvalid, homeConfigFile, loadConfig, type LoadOptions } from "./load-config.ts";
import { findProjectFile } from "./project.ts";
import { freeze, setAtPath, valueAtPath, type ConfigExplanation, type ResolvedConfig } from "./resolve.ts";
import type { Config, configSchema } from "./schema.ts";
import { setKeyInHome } from "./set-key.ts";

export interface ConfigStoreOptions extends LoadOptions {
  /** Reload when a file changes; default true. */
  readonly watch?: boolean;
}

/** What a reload did. Refused: a file has problems, and what was in force stays in force. */
export type ConfigReload =
  | {
      readonly kind: "applied";
      /** Keys with a new value in `current`. */
      readonly changed: readonly string[];
      /** Keys whose new value waits for the next start of the daemon. */
      readonly pending: readonly string[];
    }
  | { readonly kind: "refused"; readonly problems: readonly ConfigProblem[] };

export type ConfigCheck = z.infer<typeof configCheckOutputSchema>;

type Resolved = ResolvedConfig<typeof configSchema>;

export class ConfigStore {
  readonly #options: ConfigStoreOptions;
  readonly #listeners = new Set<(reload: ConfigReload) => void>();
  readonly #watch: FileWatch | undefined;
  /** What the sources say; #current differs from it where a key waits for a restart. */
  #resolved: Resolved;
  #current: Config;
  #problems: readonly ConfigProblem[] = [];

  private constructor(options: ConfigStoreOptions, resolved: Resolved) {
    this.#options = options;
    this.#resolved = resolved;
    this.#current = resolved.config;
    if (options.watch !== false) this.#watch = new FileWatch(() => this.reload());
    this.#follow();
  }

  /** @throws HoldfastError CONFIG_INVALID, with every problem in its details */
  static open(options: ConfigStoreOptions): ConfigStore {
    const loaded = loadConfig(options);
    if (loaded.resolved === undefined) throw configInvalid(loaded.problems);
    return new ConfigStore(options, loaded.resolved);
  }

  /** What is in force. Read it at each use: it is another object after a change. */
  get current(): Config {
    return this.#current;
  }

  /** Why the last reload was refused; empty when it was not. */
  get problems(): readonly ConfigProblem[] {
    return this.#problems;
  }

  /** Why a change of a file may go unseen until the next explicit reload. */
  get watchFailures(): readonly string[] {
    return this.#watch?.failures ?? [];
  }

  /** Keys whose configured value waits for the next start. */
  get pending(): readonly string[] {
    return keysThatDiffer(this.#current, this.#resolved.config);
  }

  /** As configured, also while the value waits for a restart. @throws HoldfastError CONFIG_KEY_UNKNOWN */
  get(name: string): ConfigValue {
    const { candidates: _, ...value } = this.explain(name);
    return value;
  }

  /** May its value hold secrets? @throws HoldfastError CONFIG_KEY_UNKNOWN */
  isConfidential(name: string): boolean {
    return findKey(configTable, name).isConfidential === true;
  }

  /** @throws HoldfastError CONFIG_KEY_UNKNOWN */
  explain(name: string): ConfigExplanation {
    const explanation = this.#resolved.explanations.get(findKey(configTable, name).name);
    if (explanation === undefined) throw new HoldfastError("INTERNAL", `${name} has no explanation.`);
    return explanation;
  }

  list(): ConfigValue[] {
    return [...configTable.keys.keys()].map((name) => this.get(name));
  }

  /** Reads everything afresh and changes nothing. */
  check(): ConfigCheck {
    const { files, problems } = loadConfig(this.#options);
    return { valid: problems.length === 0, files: [...files], problems: [...problems] };
  }

  /**
   * Sets a key in the home's file, or takes it out for null, and applies it. A text is read as in a variable.
   * The answer tells when a stronger source still decides.
   * @throws HoldfastError CONFIG_KEY_UNKNOWN, CONFIG_INVALID (nothing is written), SYSTEM_ERROR
   */
  set(name: string, value: unknown): ConfigValue {
    setKeyInHome(this.#options, findKey(configTable, name), value);
    const reload = this.reload();
    if (reload.kind === "refused") throw configInvalid(reload.problems);
    return this.get(name);
  }

  /** Takes over what the sources say now, or keeps what is in force when they have problems. */
  reload(): ConfigReload {
    const loaded = loadConfig(this.#options);
    this.#follow();
    return loaded.resolved === undefined ? this.#refuse(loaded.problems) : this.#apply(loaded.resolved);
  }

  /** Hears of every reload that changed something or was refused. Returns the way to stop hearing. */
  onChange(listener: (reload: ConfigReload) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#watch?.close();
    this.#listeners.clear();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #apply(resolved: Resolved): ConfigReload {
    const before = {
      config: this.#current,
      resolved: this.#resolved,
      hadProblems: this.#problems.length > 0,
    };
    this.#resolved = resolved;
    this.#problems = [];
    this.#current = holdPending(before.config, resolved.config);
    const reload: ConfigReload = {
      kind: "applied",
      changed: keysThatDiffer(before.config, this.#current),
      pending: this.pending,
    };
    const isNews = before.hadProblems || keysThatDiffer(before.resolved.config, resolved.config).length > 0;
    if (isNews) this.#tell(reload);
    return reload;
  }

  #refuse(problems: readonly ConfigProblem[]): ConfigReload {
    const isNews = !isDeepStrictEqual(problems, this.#problems);
    this.#problems = problems;
    const reload: ConfigReload = { kind: "refused", problems };
    if (isNews) this.#tell(reload);
    return reload;
  }

  #tell(reload: ConfigReload): void {
    for (const listener of this.#listeners) listener(reload);
  }

  #follow(): void {
    const { home, projectDirectory } = this.#options;
    const files = [homeConfigFile(home)];
    if (projectDirectory !== undefined) {
      // Also where no file is yet: it may appear.
      files.push(join(resolve(projectDirectory), configFileName));
      const projectFile = findProjectFile(projectDirectory, home);
      if (projectFile !== undefined) files.push(projectFile);
    }
    this.#watch?.follow(files);
  }
}

/** The new values, but of keys that need a restart the ones in force. */
function holdPending(inForce: Config, configured: Config): Config {
  const values = structuredClone(configured);
  for (const { path, needsRestart } of configTable.keys.values()) {
    if (needsRestart) setAtPath(values, path, structuredClone(valueAtPath(inForce, path)));
  }
  return freeze(values);
}

function keysThatDiffer(one: Config, other: Config): string[] {
  return [...configTable.keys.values()]
    .filter(({ path }) => !isDeepStrictEqual(valueAtPath(one, path), valueAtPath(other, path)))
    .map(({ name }) => name);
}
