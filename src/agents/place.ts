// Where an agent's file is on this machine, and whether the agent is here.
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Agent, Location } from "./agent.ts";

export interface Machine {
  /** Of the user. */
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
}

export function fileOf({ file }: Agent, machine: Machine): string {
  return firstThere(file.names.map((name) => join(directoryOf(file, machine), name)));
}

/** Undefined when the agent has none in a project. */
export function projectFileOf({ projectFiles }: Agent, root: string): string | undefined {
  return projectFiles && firstThere(projectFiles.map((name) => join(root, name)));
}

/** Is there a trace of it: its directory, or its program on PATH? */
export function isHere(agent: Agent, machine: Machine): boolean {
  const { platforms, directories, programs, file } = agent;
  if (platforms !== undefined && !platforms.includes(machine.platform)) return false;
  const folders = directories.map((directory) => join(machine.home, directory));
  const moved = file.variable === undefined ? undefined : machine.environment[file.variable];
  return (
    [...folders, ...(moved ? [moved] : []), fileOf(agent, machine)].some((path) => existsSync(path)) ||
    programs.some((program) => isOnPath(program, machine.environment))
  );
}

function directoryOf(
  { directory, variable, xdg }: Location,
  { home, environment, platform }: Machine,
): string {
  const named = variable === undefined ? undefined : environment[variable];
  if (named) return named;
  const below =
    typeof directory === "string" ? directory : platform === "darwin" ? directory.darwin : directory.linux;
  const config = environment["XDG_CONFIG_HOME"];
  const isConfig = xdg === true && below.startsWith(".config/");
  return isConfig && config ? join(config, below.slice(".config/".length)) : join(home, below);
}

function firstThere(paths: readonly string[]): string {
  return paths.find((path) => existsSync(path)) ?? paths.at(-1) ?? "";
}

function isOnPath(program: string, environment: NodeJS.ProcessEnv): boolean {
  const folders = (environment["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false; // not there, or not for us
    }
  });
}
