// Reads all sources of the configuration once.
import { join, resolve } from "node:path";
import type { z } from "zod";
import { HoldfastError } from "../protocol/errors.ts";
import { configFileName, readConfigFile, readFileLayer, type ConfigFile } from "./config-file.ts";
import { readEnvironment, readFlags } from "./environment.ts";
import { configTable, type KeyTable } from "./keys.ts";
import { renderProblem, type ConfigProblem } from "./layer.ts";
import { findProjectFile } from "./project.ts";
import { resolveLayers, type Resolution } from "./resolve.ts";
import type { configSchema } from "./schema.ts";

export interface LoadOptions {
  readonly home: string;
  /** The project is the one this directory lies in; without it there is none. */
  readonly projectDirectory?: string;
  readonly environment: NodeJS.ProcessEnv;
  /** From the command line: values by key name, as texts or as what they mean. */
  readonly flags?: Readonly<Record<string, unknown>>;
}

/** `resolved` is there exactly when there are no problems: a configuration is taken whole or not at all. */
export type LoadedConfig<Schema extends z.ZodObject = typeof configSchema> = Resolution<Schema> & {
  /** The files that exist, the stronger one first. */
  readonly files: readonly string[];
};

/** Reads the configuration: flag over environment over project over home over default. Never throws. */
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
    readFlags(table, options.flags ?? {}),
    readEnvironment(table, options.environment),
    ...files.map((file) => readFileLayer(table, file)),
  ];
  const existing = files.filter(({ content }) => "unreadable" in content || content.text !== undefined);
  return { ...resolveLayers(table, layers), files: existing.map(({ file }) => file) };
}

/** The project's file, when there is one, and the home's, also when there is none. */
export function readConfigFiles({ home, projectDirectory }: LoadOptions): ConfigFile[] {
  const homeFile = homeConfigFile(home);
  const projectFile = projectDirectory === undefined ? undefined : findProjectFile(projectDirectory, home);
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
