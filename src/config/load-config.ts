// Reads all sources of the configuration once.
import { join, resolve } from "node:path";
import type { z } from "zod";
import { HoldfastError } from "../protocol/errors.ts";
import { configFileName, readConfigFile, readFileLayer, type ConfigFile } from "./config-file.ts";
import { readEnvironment } from "./environment.ts";
import { configTable, type KeyTable } from "./keys.ts";
import { renderProblem, type ConfigProblem, type Layer } from "./layer.ts";
import { resolveLayers, type Resolution } from "./resolve.ts";
import type { configSchema } from "./schema.ts";

export interface LoadOptions {
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Of the project; see findProjectFile. */
  readonly projectFile?: string | undefined;
}

/** `resolved` is there exactly when there are no problems: a configuration is taken whole or not at all. */
export type LoadedConfig<Schema extends z.ZodObject = typeof configSchema> = Resolution<Schema> & {
  /** The files that exist, the stronger one first. */
  readonly files: readonly string[];
  /** The sources, the stronger one first. */
  readonly layers: readonly Layer[];
};

/** Reads the configuration: environment over project over home over default. Never throws. */
export function loadConfig(options: LoadOptions): LoadedConfig {
  return loadKeys(configTable, options, readConfigFiles(options));
}

/** As loadConfig, with any keys and with the content of the files given. */
export function loadKeys<Schema extends z.ZodObject>(
  table: KeyTable<Schema>,
  options: LoadOptions,
  files: readonly ConfigFile[],
): LoadedConfig<Schema> {
  const layers = [
    readEnvironment(table, options.environment),
    ...files.map((file) => readFileLayer(table, file)),
  ];
  const existing = files.filter(({ content }) => "unreadable" in content || content.text !== undefined);
  return { ...resolveLayers(table, layers), files: existing.map(({ file }) => file), layers };
}

/** The project's file, when one is given, and the home's, also when there is none. */
export function readConfigFiles({ home, projectFile }: LoadOptions): ConfigFile[] {
  const homeFile = homeConfigFile(home);
  const files: ConfigFile[] = [{ file: homeFile, source: "home", content: readConfigFile(homeFile) }];
  if (projectFile !== undefined) {
    files.unshift({ file: projectFile, source: "project", content: readConfigFile(projectFile) });
  }
  return files;
}

export function homeConfigFile(home: string): string {
  return join(resolve(home), configFileName);
}

export function configInvalid(problems: readonly ConfigProblem[]): HoldfastError {
  const message = `The configuration cannot be used. ${problems.map(renderProblem).join("; ")}`;
  return new HoldfastError("CONFIG_INVALID", message, { details: { problems } });
}
