// The functions and aliases of each shell, captured once and again when a start-up file changes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fingerprintFiles, type Environment, type RunToEnd } from "../start/login-environment.ts";
import { captureDefinitions } from "./capture-definitions.ts";
import { DefinitionIndex, noDefinitions } from "./definitions.ts";
import type { ShellKind } from "./prelude.ts";

export interface ShellDefinitionsOptions {
  readonly run: RunToEnd;
  readonly login: () => Promise<Environment>;
  readonly timeoutMs: () => number;
}

interface Captured {
  readonly fingerprint: string;
  readonly index: Promise<DefinitionIndex>;
}

export interface NeededDefinitions {
  readonly definitions: string;
  readonly functionsFile: string | undefined;
}

// A variable may have 128 KiB; more than half of that is read from the file instead.
const mostInVariable = 65_536;
// Start-up files are looked at no more often: fourteen of them for each command cost more than the rest of it.
const lookEveryMs = 1_000;

export class ShellDefinitions {
  readonly #options: ShellDefinitionsOptions;
  readonly #captured = new Map<string, Captured>();
  readonly #written = new Map<string, DefinitionIndex>();
  #lookedAtMs = -lookEveryMs;

  constructor(options: ShellDefinitionsOptions) {
    this.#options = options;
  }

  /** What a command needs; `directory` takes the file of all functions. */
  async forCommand(
    command: string,
    {
      kind,
      program,
      directory,
    }: { readonly kind: ShellKind; readonly program: string; readonly directory: string },
  ): Promise<NeededDefinitions> {
    const index = await this.#index(kind, program);
    if (index.isEmpty) return { definitions: "", functionsFile: undefined };
    const functionsFile = join(directory, kind, "functions");
    if (this.#written.get(functionsFile) !== index) {
      writeFileSync(functionsFile, index.allFunctions, { mode: 0o600 });
      this.#written.set(functionsFile, index);
    }
    const { functions, aliases } = index.select(command);
    const isLong = Buffer.byteLength(functions) > mostInVariable;
    return { definitions: `${isLong ? `. ${functionsFile}` : functions}\n${aliases}`.trim(), functionsFile };
  }

  /** The folder was made anew: its files are to be written again. */
  forgetFiles(): void {
    this.#written.clear();
  }

  async #index(kind: ShellKind, program: string): Promise<DefinitionIndex> {
    const known = this.#captured.get(program);
    if (known !== undefined && performance.now() - this.#lookedAtMs < lookEveryMs) return await known.index;
    const fingerprint = await fingerprintFiles();
    this.#lookedAtMs = performance.now();
    if (known?.fingerprint === fingerprint) return await known.index;
    const index = this.#capture(kind, program);
    this.#captured.set(program, { fingerprint, index });
    return await index;
  }

  async #capture(kind: ShellKind, program: string): Promise<DefinitionIndex> {
    const { run, login, timeoutMs } = this.#options;
    try {
      const env = await login();
      return new DefinitionIndex(
        await captureDefinitions({ kind, program, run, env, timeoutMs: timeoutMs() }),
      );
    } catch {
      return new DefinitionIndex(noDefinitions);
    }
  }
}
