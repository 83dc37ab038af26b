// What is in force in a directory: the home's configuration, with what the file of the directory's project says over it.
import { join } from "node:path";
import { configFileName, readConfigFile, readFileLayer } from "./config-file.ts";
import { configTable } from "./keys.ts";
import type { ConfigProblem, Layer } from "./layer.ts";
import { holdPending } from "./pending.ts";
import { findProjectFile, type ProjectFile } from "./project.ts";
import { resolveLayers, type ConfigExplanation } from "./resolve.ts";
import type { Config } from "./schema.ts";

export interface DirectoryConfig {
  readonly config: Config;
  readonly explanations: ReadonlyMap<string, ConfigExplanation>;
  /** Of the project's file. With any, nothing of it is in force. */
  readonly problems: readonly ConfigProblem[];
}

/** The home's part of it; another object after each change. */
export interface HomeConfig extends DirectoryConfig {
  /** Its sources, strongest first. */
  readonly layers: readonly Layer[];
}

interface Look {
  readonly atMs: number;
  readonly home: HomeConfig;
  readonly result: Promise<DirectoryConfig>;
}

interface Known {
  readonly stamp: string;
  readonly home: HomeConfig;
  readonly result: DirectoryConfig;
}

// A look takes well under a millisecond, on a file system that answers.
const lookMs = 1_000;
// A look at a hung mount keeps a thread of the few that all reading of files shares, for as long as it hangs.
const mostOverdue = 2;
const mostKnown = 200;
// Of many starts in a row the first looks: a look goes through the threads that read files, which costs as much as half a start.
const freshMs = 500;

export class ProjectConfigs {
  readonly #homeDirectory: string;
  readonly #known = new Map<string, Known>();
  /** By directory, oldest first. */
  readonly #looked = new Map<string, Look>();
  #overdue = 0;

  constructor(homeDirectory: string) {
    this.#homeDirectory = homeDirectory;
  }

  /** As it was at most half a second ago. A file that is as it was is not read again. Never throws. */
  async of(directory: string, home: HomeConfig): Promise<DirectoryConfig> {
    const looked = this.#looked.get(directory);
    const isFresh = looked?.home === home && performance.now() - looked.atMs < freshMs;
    return isFresh ? await looked.result : await this.look(directory, home);
  }

  /** As it is now. */
  async look(directory: string, home: HomeConfig): Promise<DirectoryConfig> {
    const result = this.#read(directory, home);
    this.#looked.delete(directory);
    this.#looked.set(directory, { atMs: performance.now(), home, result });
    const [oldest] = this.#looked.keys();
    if (this.#looked.size > mostKnown && oldest !== undefined) this.#looked.delete(oldest);
    return await result;
  }

  async #read(directory: string, home: HomeConfig): Promise<DirectoryConfig> {
    const found = await this.#find(directory);
    if (found === "overdue") {
      const message = "the file system does not answer";
      const problem = { file: join(directory, configFileName), line: null, key: "", message };
      return { ...home, problems: [problem] };
    }
    if (found === undefined) return home;
    const known = this.#known.get(found.path);
    if (known?.stamp === found.stamp && known.home === home) return known.result;
    const result = overlay(found.path, home);
    this.#known.delete(found.path);
    this.#known.set(found.path, { stamp: found.stamp, home, result });
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest);
    return result;
  }

  async #find(directory: string): Promise<ProjectFile | undefined | "overdue"> {
    if (this.#overdue >= mostOverdue) return "overdue";
    const look = findProjectFile(directory, this.#homeDirectory);
    const late = Promise.withResolvers<"overdue">();
    const timer = setTimeout(() => {
      this.#overdue += 1;
      void look.finally(() => (this.#overdue -= 1));
      late.resolve("overdue");
    }, lookMs);
    try {
      return await Promise.race([look, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function overlay(file: string, home: HomeConfig): DirectoryConfig {
  const project = readFileLayer(configTable, { file, source: "project", content: readConfigFile(file) });
  const isWeaker = ({ source }: Layer): boolean => source === "home";
  const layers = [
    ...home.layers.filter((layer) => !isWeaker(layer)),
    project,
    ...home.layers.filter(isWeaker),
  ];
  const { resolved, problems } = resolveLayers(configTable, layers);
  if (resolved === undefined) return { ...home, problems };
  return {
    config: holdPending(home.config, resolved.config),
    explanations: resolved.explanations,
    problems: [],
  };
}
