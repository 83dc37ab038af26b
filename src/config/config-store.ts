// The configuration of a running daemon: what is in force, where it comes from, and how it changes while it runs.
import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import type { ConfigValue, configCheckOutputSchema } from "../protocol/daemon.ts";
import { ConfigView } from "./config-view.ts";
import { FileWatch } from "./file-watch.ts";
import { configTable, findKey } from "./keys.ts";
import type { ConfigProblem } from "./layer.ts";
import {
  configInvalid,
  homeConfigFile,
  loadConfig,
  type LoadedConfig,
  type LoadOptions,
} from "./load-config.ts";
import { holdPending, keysThatDiffer } from "./pending.ts";
import { ProjectConfigs, type DirectoryConfig, type HomeConfig } from "./project-configs.ts";
import { findProjectFile } from "./project.ts";
import type { ConfigExplanation } from "./resolve.ts";
import type { Config } from "./schema.ts";
import { setKeyInHome } from "./set-key.ts";

export interface ConfigStoreOptions extends Pick<LoadOptions, "home" | "environment"> {
  /** Reload when the home's file changes; default true. */
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

type Good = Extract<LoadedConfig, { readonly problems: readonly [] }>;

export class ConfigStore {
  readonly #options: ConfigStoreOptions;
  readonly #listeners = new Set<(reload: ConfigReload) => void>();
  readonly #watch: FileWatch | undefined;
  readonly #projects: ProjectConfigs;
  /** What the sources say; what is in force differs from it where a key waits for a restart. */
  #configured: Config;
  #home: HomeConfig;
  #problems: readonly ConfigProblem[] = [];

  private constructor(options: ConfigStoreOptions, { resolved, layers }: Good) {
    this.#options = options;
    this.#projects = new ProjectConfigs(options.home);
    this.#configured = resolved.config;
    this.#home = { ...resolved, problems: [], layers };
    if (options.watch !== false) this.#watch = new FileWatch(() => this.reload());
    this.#watch?.follow([homeConfigFile(options.home)]);
  }

  /** @throws HoldfastError CONFIG_INVALID, with every problem in its details */
  static open(options: ConfigStoreOptions): ConfigStore {
    const loaded = loadConfig(options);
    if (loaded.resolved === undefined) throw configInvalid(loaded.problems);
    return new ConfigStore(options, loaded);
  }

  /** What is in force in this home. Read it at each use: it is another object after a change. */
  get current(): Config {
    return this.#home.config;
  }

  /** What is in force for what is started in a directory. */
  async inDirectory(directory: string): Promise<DirectoryConfig> {
    return await this.#projects.of(directory, this.#home);
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
    return keysThatDiffer(this.current, this.#configured);
  }

  /** As ConfigView.get, of the home. */
  get(name: string): ConfigValue {
    return this.#view.get(name);
  }

  /** As ConfigView.explain, of the home. */
  explain(name: string): ConfigExplanation {
    return this.#view.explain(name);
  }

  /** As ConfigView.list, of the home. */
  list(): ConfigValue[] {
    return this.#view.list();
  }

  /** The same of a directory; without one, of the home. @throws HoldfastError CONFIG_INVALID: its project's file has problems */
  async viewOf(directory: string | undefined): Promise<ConfigView> {
    if (directory === undefined) return this.#view;
    const { explanations, problems } = await this.#projects.look(directory, this.#home);
    if (problems.length > 0) throw configInvalid(problems);
    return new ConfigView(explanations);
  }

  get #view(): ConfigView {
    return new ConfigView(this.#home.explanations);
  }

  /** May its value hold secrets? @throws HoldfastError CONFIG_KEY_UNKNOWN */
  isConfidential(name: string): boolean {
    return findKey(configTable, name).isConfidential === true;
  }

  /** Reads everything afresh, of a directory also its project's file, and changes nothing. */
  async check(directory?: string): Promise<ConfigCheck> {
    const { home } = this.#options;
    const project = directory === undefined ? undefined : await findProjectFile(directory, home);
    const { files, problems } = loadConfig({ ...this.#options, projectFile: project?.path });
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
    this.#watch?.follow([homeConfigFile(this.#options.home)]);
    return loaded.resolved === undefined ? this.#refuse(loaded.problems) : this.#apply(loaded);
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

  #apply({ resolved, layers }: Good): ConfigReload {
    const before = { current: this.current, configured: this.#configured };
    const hadProblems = this.#problems.length > 0;
    this.#configured = resolved.config;
    this.#problems = [];
    const config = holdPending(before.current, resolved.config);
    this.#home = { config, explanations: resolved.explanations, problems: [], layers };
    const changed = keysThatDiffer(before.current, config);
    const reload: ConfigReload = { kind: "applied", changed, pending: this.pending };
    if (hadProblems || keysThatDiffer(before.configured, resolved.config).length > 0) this.#tell(reload);
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
}
