// The `spec` of a run (CONTRACT.md §2.1): what was asked for, and who the child is. Written once, by its keeper.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { HoldfastError } from "../protocol/errors.ts";
import { confinementOf, type Confinement } from "./confinement.ts";
import { contractVersion } from "./numbers.ts";
import { isMissingFile } from "./system-error.ts";
import { parseText, textNumber, textValue, textValues, type TextLines } from "./text-format.ts";

export const runModes = ["split", "merged", "pty"] as const;
/** split: stdout and stderr apart; merged: one pipe, exact order; pty: a terminal. */
export type RunMode = (typeof runModes)[number];

export interface RunSpec {
  readonly contract: string;
  readonly id: string;
  readonly argv: readonly string[];
  /** Values are never stored. */
  readonly environmentNames: readonly string[];
  readonly mode: RunMode;
  readonly stdin: "open" | "empty";
  readonly cwd: string;
  readonly columns: number;
  readonly rows: number;
  /** 0 when the start failed before there was a child. */
  readonly childPid: number;
  /** Kernel start time of the child. */
  readonly childStart: number;
  readonly bootId: string;
  readonly pidNamespace: number;
  /** Wall clock, milliseconds since 1970. */
  readonly startedAt: number;
  readonly startedBoottimeUs: number;
  readonly startedMonotonicUs: number;
  readonly launcherPid: number;
  /** Absolute path of the run's own cgroup. */
  readonly cgroup?: string;
  /** Absent: not confined. */
  readonly confinement?: Confinement;
  readonly note?: string;
  /** Tells this start from any other that wanted the same id. */
  readonly startToken?: string;
  /** Every line, for what has no field here. */
  readonly lines: TextLines;
}

/** Undefined for a text that lacks what every spec has. */
export function parseSpec(text: string): RunSpec | undefined {
  const lines = parseText(text);
  const contract = textValue(lines, "contract");
  const id = textValue(lines, "id");
  const argv = textValues(lines, "arg");
  const bootId = textValue(lines, "boot");
  if (contract === undefined || id === undefined || argv.length === 0 || bootId === undefined)
    return undefined;
  const mode = textValue(lines, "mode");
  const cgroup = textValue(lines, "cgroup_path");
  const note = textValue(lines, "note");
  const startToken = textValue(lines, "start_token");
  const confinement = confinementOf(lines);
  return {
    contract,
    id,
    argv,
    environmentNames: textValues(lines, "env"),
    mode: runModes.find((known) => known === mode) ?? "split",
    stdin: mode === "pty" || textValue(lines, "stdin") === "open" ? "open" : "empty",
    cwd: textValue(lines, "cwd") ?? "/",
    columns: textNumber(lines, "columns") ?? 80,
    rows: textNumber(lines, "rows") ?? 24,
    childPid: textNumber(lines, "child_pid") ?? 0,
    childStart: textNumber(lines, "child_start") ?? 0,
    bootId,
    pidNamespace: textNumber(lines, "pid_namespace") ?? 0,
    startedAt: textNumber(lines, "started_at") ?? 0,
    startedBoottimeUs: textNumber(lines, "started_boottime_us") ?? 0,
    startedMonotonicUs: textNumber(lines, "started_monotonic_us") ?? 0,
    launcherPid: textNumber(lines, "launcher_pid") ?? 0,
    ...(cgroup === undefined ? {} : { cgroup }),
    ...(confinement === undefined ? {} : { confinement }),
    ...(note === undefined ? {} : { note }),
    ...(startToken === undefined ? {} : { startToken }),
    lines,
  };
}

/**
 * @throws HoldfastError RUN_NOT_FOUND without a spec file, RUN_DAMAGED when it is not whole, CONTRACT_MISMATCH when another major
 * version wrote it
 */
export async function readSpec(directory: string): Promise<RunSpec> {
  const path = join(directory, "spec");
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (isMissingFile(error)) throw new HoldfastError("RUN_NOT_FOUND", `There is no run in ${directory}.`);
    throw error;
  });
  const spec = parseSpec(text);
  if (spec === undefined) throw new HoldfastError("RUN_DAMAGED", `${path} is not a whole spec.`);
  if (!spec.contract.startsWith(`${contractVersion.major}.`)) {
    throw new HoldfastError(
      "CONTRACT_MISMATCH",
      `${path} is of contract ${spec.contract}, which this version cannot read.`,
      {
        details: { contract: spec.contract },
      },
    );
  }
  return spec;
}
