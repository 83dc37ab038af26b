// The files in memory: what each session remembers, and what each command of one was given.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { RememberedVariables } from "./remembered.ts";
import { parseShellEnd, type ShellEnd } from "./shell-end.ts";

const variablesSchema = z.object({
  set: z.array(z.tuple([z.string(), z.string()])),
  unset: z.array(z.string()),
});
const stateSchema = z.object({
  session: z.string(),
  cwd: z.string().nullable(),
  /** Of the command that left it: an earlier end that is heard of later changes nothing. */
  at: z.number(),
  /** Why something of it was not remembered; told once. */
  problem: z.string().nullable(),
  variables: variablesSchema,
});
const runningSchema = z.object({
  session: z.string(),
  cwd: z.string(),
  cwdBefore: z.string().nullable(),
  before: variablesSchema,
  start: z.array(z.tuple([z.string(), z.string()])),
});

export interface ShellState {
  readonly session: string;
  readonly cwd: string | null;
  readonly at: number;
  readonly problem: string | null;
  readonly variables: RememberedVariables;
}

/** What a command of a session was given. */
export interface RunningCommand {
  readonly session: string;
  readonly cwd: string;
  /** What was remembered when it began. */
  readonly cwdBefore: string | null;
  readonly before: RememberedVariables;
  readonly start: ReadonlyMap<string, string>;
}

const folders = ["sessions", "running", "ends"] as const;

function toJson({ set, unset }: RememberedVariables): z.infer<typeof variablesSchema> {
  return { set: [...set], unset: [...unset] };
}

function fromJson({ set, unset }: z.infer<typeof variablesSchema>): RememberedVariables {
  return { set: new Map(set), unset: new Set(unset) };
}

function readJson<Schema extends z.ZodType>(file: string, schema: Schema): z.infer<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  } catch {
    return undefined; // not there, or not whole
  }
}

/** All of it is in memory: no call waits for a disk. */
export class StateFiles {
  readonly #place: string;

  constructor(place: string) {
    this.#place = place;
    for (const folder of folders) mkdirSync(join(place, folder), { recursive: true, mode: 0o700 });
  }

  /** False: somebody cleared the memory, as the end of a login session does. */
  get isThere(): boolean {
    return existsSync(join(this.#place, "ends"));
  }

  endFile(id: string): string {
    return join(this.#place, "ends", id);
  }

  readState(session: string): ShellState | undefined {
    const found = readJson(this.#stateFile(session), stateSchema);
    return found?.session === session ? { ...found, variables: fromJson(found.variables) } : undefined;
  }

  writeState(state: ShellState): void {
    this.#write(this.#stateFile(state.session), { ...state, variables: toJson(state.variables) });
  }

  removeState(session: string): void {
    rmSync(this.#stateFile(session), { force: true });
  }

  /** Also makes the file for the end, so that no umask of the command keeps us from reading it. */
  begin(id: string, command: RunningCommand): void {
    const { before, start } = command;
    this.#write(join(this.#place, "running", id), { ...command, before: toJson(before), start: [...start] });
    writeFileSync(this.endFile(id), "", { mode: 0o600 });
  }

  readRunning(id: string): RunningCommand | undefined {
    const found = readJson(join(this.#place, "running", id), runningSchema);
    return found && { ...found, before: fromJson(found.before), start: new Map(found.start) };
  }

  readEnd(id: string): ShellEnd | undefined {
    try {
      return parseShellEnd(readFileSync(this.endFile(id)));
    } catch {
      return undefined; // not there
    }
  }

  running(): string[] {
    return readdirSync(join(this.#place, "running")).filter((name) => !name.endsWith(".new"));
  }

  get isEmpty(): boolean {
    return this.running().length === 0 && readdirSync(join(this.#place, "sessions")).length === 0;
  }

  forget(id: string): void {
    for (const folder of ["running", "ends"]) rmSync(join(this.#place, folder, id), { force: true });
  }

  #stateFile(session: string): string {
    return join(this.#place, "sessions", createHash("sha256").update(session).digest("hex"));
  }

  #write(file: string, content: unknown): void {
    writeFileSync(`${file}.new`, JSON.stringify(content), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
}
