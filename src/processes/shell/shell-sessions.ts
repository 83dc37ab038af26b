// Shells of sessions: each command runs in a shell of its own, in the directory and with the exported variables the last one left.
import type { ExitRecord } from "../../protocol/exit.ts";
import { findMemoryPlace, makeMemoryPlace, removeMemoryPlace } from "./memory-place.ts";
import { shellKind, startupVariable, withPrelude, writePreludes, type PreludedCommand } from "./prelude.ts";
import { nearestDirectory } from "./remembered-directory.ts";
import { nothingRemembered, recall, toBytes, toText, type ByteText } from "./remembered.ts";
import { ShellDefinitions, type ShellDefinitionsOptions } from "./shell-definitions.ts";
import { stateAfter } from "./state-after.ts";
import { StateFiles, type ShellState } from "./state-files.ts";

export interface ShellSessionsOptions extends ShellDefinitionsOptions {
  readonly home: string;
  /** Of the daemon: where memory is. */
  readonly environment: NodeJS.ProcessEnv;
  readonly hasDefinitions: () => boolean;
  /** Where a session was, also after the memory was lost. */
  readonly storedDirectory: (session: string) => Promise<string | null>;
  readonly storeDirectory: (session: string, cwd: string) => Promise<void>;
}

export interface ShellCommand {
  readonly session: string;
  readonly id: string;
  readonly command: string;
  readonly program: string;
  readonly cwd: string;
  /** As a plain start would have them. */
  readonly variables: Readonly<Record<string, string>>;
  /** Names its caller decides for this command alone. */
  readonly decided: ReadonlySet<string>;
  /** Nothing is added to the variables. */
  readonly isExact: boolean;
}

export interface PreparedCommand {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** `NAME=value`, where the value is no text. */
  readonly binaryEnv: readonly Buffer[];
  readonly notes: readonly string[];
  /** Files of ours that it needs, should it be confined. */
  readonly files: { readonly write: readonly string[]; readonly read: readonly string[] };
}

export const noFiles: PreparedCommand["files"] = { write: [], read: [] };

interface Opened {
  readonly files: StateFiles;
  readonly place: string;
}

const lostNote =
  "The variables this session had exported were lost with the memory they were kept in (a reboot or a logout); its directory is known.";

function split(variables: ReadonlyMap<string, ByteText>): Pick<PreparedCommand, "env" | "binaryEnv"> {
  const env: Record<string, string> = {};
  const binaryEnv: Buffer[] = [];
  for (const [name, value] of variables) {
    const text = toText(value);
    if (text === undefined) binaryEnv.push(Buffer.from(`${name}=${value}`, "latin1"));
    else env[name] = text;
  }
  return { env, binaryEnv };
}

export class ShellSessions {
  readonly #options: ShellSessionsOptions;
  readonly #definitions: ShellDefinitions;
  /** Commands of sessions that have not ended: every other end costs nothing here. */
  readonly #running = new Set<string>();
  #opened: Opened | undefined;
  #hasPreludes = false;

  constructor(options: ShellSessionsOptions) {
    this.#options = options;
    this.#definitions = new ShellDefinitions(options);
    const place = findMemoryPlace(options.home, options.environment);
    if (place === undefined) return;
    this.#opened = { files: new StateFiles(place), place };
    for (const id of this.#opened.files.running()) this.#running.add(id);
  }

  /** Where the next command runs when its caller does not say; undefined: nothing is remembered. */
  async directory(
    session: string,
  ): Promise<{ readonly cwd: string | undefined; readonly notes: readonly string[] }> {
    const state = this.get(session);
    const remembered = state?.cwd ?? (await this.#options.storedDirectory(session));
    if (remembered === null) return { cwd: undefined, notes: [] };
    const notes = state === undefined ? [lostNote] : [];
    const cwd = await nearestDirectory(remembered);
    if (cwd !== remembered)
      notes.push(`The session's working directory ${remembered} is gone; the command runs in ${cwd}.`);
    return { cwd, notes };
  }

  /** Where all of this lies; undefined: nowhere yet. */
  get place(): string | undefined {
    return this.#opened?.place;
  }

  get(session: string): ShellState | undefined {
    return this.#opened?.files.readState(session);
  }

  /** The command as it is to be started. From here on its end counts, until it is settled. */
  async prepare(request: ShellCommand): Promise<PreparedCommand> {
    const { command, program, session, cwd, id } = request;
    const base = new Map(Object.entries(request.variables).map(([name, value]) => [name, toBytes(value)]));
    const opened = this.#open();
    const state = opened?.files.readState(session);
    const before = state?.variables ?? nothingRemembered;
    const start = request.isExact ? base : recall(base, before, request.decided);
    // So that a directory keeps the name by which it was entered.
    if (!request.isExact) start.set("PWD", toBytes(cwd));
    if (opened === undefined || shellKind(program) === undefined) {
      const why =
        opened === undefined
          ? "this machine has no file system in memory"
          : `${program} is none of bash, zsh, sh, dash`;
      const notes = [`Nothing of this command is remembered for the session: ${why}.`];
      return { argv: [program, "-c", command], ...split(start), notes, files: noFiles };
    }
    const preluded = await this.#withPrelude(request, opened, start);
    opened.files.begin(id, { session, cwd, cwdBefore: state?.cwd ?? null, before, start });
    this.#running.add(id);
    const problem = state?.problem ?? null;
    if (state !== undefined && problem !== null) opened.files.writeState({ ...state, problem: null });
    const { env, binaryEnv } = split(start);
    const notes = problem === null ? [] : [problem];
    const files = { write: [opened.files.endFile(id)], read: [preluded.directory] };
    return { argv: preluded.argv, env: { ...env, ...preluded.variables }, binaryEnv, notes, files };
  }

  /** A command has ended: what it left is remembered. Gives the directory it ended in, if it was one of a session. */
  async finish(id: string, exit: ExitRecord): Promise<string | null> {
    if (!this.#running.has(id)) return null;
    const files = this.#opened?.files;
    const command = files?.readRunning(id);
    const end = files?.readEnd(id);
    if (files === undefined || command === undefined || end === undefined) return null;
    const last = files.readState(command.session);
    // Of several that ran at once the last one counts, as a whole.
    const state =
      last === undefined || last.at <= exit.endedAt ? stateAfter(command, end, exit.endedAt) : undefined;
    if (state !== undefined) {
      files.writeState(state);
      if (state.cwd !== null && state.cwd !== last?.cwd)
        await this.#options.storeDirectory(command.session, state.cwd);
    }
    return end.cwd ?? null;
  }

  /** Nothing more is to be heard of this command. */
  settle(id: string): void {
    if (this.#running.delete(id)) this.#opened?.files.forget(id);
  }

  /** Also what its commands that run now will leave. False: there was nothing. */
  forget(session: string): boolean {
    const files = this.#opened?.files;
    if (files === undefined) return false;
    const wasThere = files.readState(session) !== undefined;
    for (const id of this.#running) if (files.readRunning(id)?.session === session) this.settle(id);
    files.removeState(session);
    return wasThere;
  }

  /** Commands that ended with nobody to hear of it, or never began. */
  sweep(isLive: (id: string) => boolean): void {
    for (const id of this.#running) if (!isLive(id)) this.settle(id);
  }

  close(): void {
    if (this.#opened?.files.isThere === true && this.#opened.files.isEmpty)
      removeMemoryPlace(this.#opened.place);
  }

  async #withPrelude(
    { command, program, session, id }: ShellCommand,
    { files, place }: Opened,
    start: ReadonlyMap<string, ByteText>,
  ): Promise<PreludedCommand> {
    const kind = shellKind(program) ?? "sh";
    const needed = this.#options.hasDefinitions()
      ? await this.#definitions.forCommand(command, { kind, program, directory: place })
      : { definitions: "", functionsFile: undefined };
    const variable = startupVariable(kind);
    const { set, unset } = files.readState(session)?.variables ?? nothingRemembered;
    const isWord = (name: string): boolean => /^\w+$/.test(name);
    return withPrelude({
      kind,
      program,
      command,
      directory: place,
      endFile: files.endFile(id),
      keep: [...set.keys()].filter((name) => isWord(name) && start.has(name)),
      drop: [...unset].filter((name) => isWord(name) && !start.has(name)),
      ...needed,
      startup: variable === undefined ? undefined : toText(start.get(variable) ?? ""),
    });
  }

  #open(): Opened | undefined {
    if (this.#hasPreludes && this.#opened?.files.isThere === true) return this.#opened;
    const place = makeMemoryPlace(this.#options.home, this.#options.environment);
    if (place === undefined) return undefined;
    writePreludes(place);
    this.#hasPreludes = true;
    this.#definitions.forgetFiles();
    this.#opened = { files: new StateFiles(place), place };
    return this.#opened;
  }
}
