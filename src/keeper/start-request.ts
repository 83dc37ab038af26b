// A START request: what a caller may ask for, and its bytes (CONTRACT.md §4.1).
import { isAbsolute } from "node:path";
import { HoldfastError } from "../protocol/errors.ts";
import { callerLimits } from "./caller-limits.ts";
import { confinementLines, type Confinement } from "./confinement.ts";
import { writeHeader } from "./frames.ts";
import { frameLimits, frameType } from "./numbers.ts";
import { checkRunId } from "./run-directory.ts";
import type { RunMode } from "./spec-file.ts";
import { escapeValue } from "./text-format.ts";

export interface ResourceLimit {
  readonly soft: number | "infinity";
  readonly hard: number | "infinity";
}

export interface StartRequest {
  /** 1-64 characters of A-Z a-z 0-9 _ -, not beginning with "-"; never used before in this home. */
  readonly id: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** More variables, `NAME=value`, that are no text. */
  readonly binaryEnv?: readonly Buffer[];
  /** The child's environment is `env` and nothing else: without HOLDFAST_RUN, which tells it where it runs. */
  readonly environmentIsExact?: boolean;
  /** Absolute. */
  readonly cwd: string;
  readonly mode?: RunMode;
  /** A terminal is always open. */
  readonly stdin?: "open" | "empty";
  /** Executed instead of argv[0]. */
  readonly program?: string;
  readonly columns?: number;
  readonly rows?: number;
  /** Default: this process's own, as for `nice` and the `nofile` limit. */
  readonly umask?: number;
  readonly nice?: number;
  /** Names as in RLIMIT_*, lower case. */
  readonly rlimits?: Readonly<Record<string, ResourceLimit>>;
  readonly headLimitBytes?: number;
  readonly tailLimitBytes?: number;
  readonly wallLimitMs?: number;
  readonly idleLimitMs?: number;
  readonly outputLimitBytes?: number;
  readonly memoryLimitBytes?: number;
  /** For stops by a limit. */
  readonly graceMs?: number;
  readonly cgroup?: "auto" | "off";
  /** Default: none. */
  readonly confinement?: Confinement;
  /** Anything of the caller's, kept in `spec`. */
  readonly note?: string;
}

const optionKeys = [
  ["columns", "columns"],
  ["rows", "rows"],
  ["headLimitBytes", "head_limit"],
  ["tailLimitBytes", "tail_limit"],
  ["wallLimitMs", "wall_limit_ms"],
  ["idleLimitMs", "idle_limit_ms"],
  ["outputLimitBytes", "output_limit_bytes"],
  ["memoryLimitBytes", "memory_limit_bytes"],
  ["graceMs", "grace_ms"],
] as const satisfies ReadonlyArray<readonly [keyof StartRequest, string]>;

export interface StartEncoding {
  /** Of the run: what HOLDFAST_RUN names. */
  readonly directory: string;
  /** Goes into `spec`, and so tells this start from another that wanted the same id. */
  readonly startToken: string;
}

/**
 * The whole frame, with request number 0 and no deadline yet: see setDeadline.
 * @throws HoldfastError INVALID_ARGUMENT, REQUEST_TOO_LARGE
 */
export function encodeStart(request: StartRequest, encoding: StartEncoding): Buffer {
  check(request);
  const options = `${optionLines(request)}start_token ${encoding.startToken}\n`;
  const environment = environmentLines(request, encoding.directory);
  // Three bytes for a UTF-16 unit is the most UTF-8 takes. One allocation, one pass.
  let most = frameLimits.headerBytes + 24 + (request.id.length + options.length) * 3;
  for (const argument of request.argv) most += 4 + argument.length * 3;
  for (const line of environment) most += 4 + line.length * 3;
  for (const line of request.binaryEnv ?? []) most += 4 + line.length;
  const buffer = Buffer.allocUnsafe(most);
  let at = writeString(buffer, frameLimits.headerBytes, request.id);
  at = buffer.writeBigUInt64LE(0n, at);
  at = writeString(buffer, at, options);
  at = writeStrings(buffer, at, request.argv);
  const environmentAt = at;
  at = writeStrings(buffer, at, environment);
  at = appendLines(buffer, environmentAt, at, request.binaryEnv ?? []);
  if (at - 4 > frameLimits.mostStartBytes) {
    throw new HoldfastError(
      "REQUEST_TOO_LARGE",
      `The arguments and the environment take ${at} bytes, and 8 MiB is the most.`,
    );
  }
  const encoded = buffer.subarray(0, at);
  writeHeader(encoded, frameType.start, 0);
  return encoded;
}

/** Of a frame of encodeStart; CLOCK_MONOTONIC. */
export function setDeadline(encoded: Buffer, deadlineNs: bigint): void {
  const idAt = frameLimits.headerBytes;
  encoded.writeBigUInt64LE(deadlineNs, idAt + 4 + encoded.readUInt32LE(idAt));
}

function writeString(buffer: Buffer, at: number, value: string): number {
  const written = buffer.write(value, at + 4);
  buffer.writeUInt32LE(written, at);
  return at + 4 + written;
}

function writeStrings(buffer: Buffer, from: number, values: readonly string[]): number {
  let at = buffer.writeUInt32LE(values.length, from);
  for (const value of values) at = writeString(buffer, at, value);
  return at;
}

/** To the list that begins at `from` and ends at `end`. */
function appendLines(buffer: Buffer, from: number, end: number, lines: readonly Buffer[]): number {
  buffer.writeUInt32LE(buffer.readUInt32LE(from) + lines.length, from);
  let at = end;
  for (const line of lines) {
    at = buffer.writeUInt32LE(line.length, at);
    at += line.copy(buffer, at);
  }
  return at;
}

function environmentLines(request: StartRequest, directory: string): string[] {
  const lines: string[] = [];
  const isExact = request.environmentIsExact === true;
  for (const name in request.env) {
    // One from the caller's own environment names the caller's run, not this one.
    if (name === "HOLDFAST_RUN" && !isExact) continue;
    lines.push(`${name}=${request.env[name]}`);
  }
  if (!isExact) lines.push(`HOLDFAST_RUN=${directory}`);
  for (const line of lines) {
    const equals = line.indexOf("=");
    if (equals > 0 && !line.includes("\0")) continue;
    throw invalid(
      `The environment variable ${JSON.stringify(line.slice(0, equals))} cannot be: a name is not empty, and neither it nor its value holds a zero byte.`,
    );
  }
  return lines;
}

function optionLines(request: StartRequest): string {
  const limits = callerLimits();
  let text = `mode ${request.mode ?? "split"}\nstdin ${request.stdin ?? "empty"}\ncwd ${escapeValue(request.cwd)}\n`;
  text += `umask ${(request.umask ?? limits.umask).toString(8).padStart(3, "0")}\nnice ${request.nice ?? limits.nice}\n`;
  if (request.rlimits?.["nofile"] === undefined && limits.nofile !== undefined) {
    text += `rlimit nofile ${limits.nofile.soft} ${limits.nofile.hard}\n`;
  }
  for (const name in request.rlimits) {
    const limit = request.rlimits[name];
    if (limit !== undefined) text += `rlimit ${name} ${limit.soft} ${limit.hard}\n`;
  }
  for (const [field, key] of optionKeys) {
    const value = request[field];
    if (value !== undefined) text += `${key} ${value}\n`;
  }
  if (request.program !== undefined) text += `program ${escapeValue(request.program)}\n`;
  if (request.cgroup !== undefined) text += `cgroup ${request.cgroup}\n`;
  text += confinementLines(request.confinement);
  if (request.note !== undefined) text += `note ${escapeValue(request.note)}\n`;
  return text;
}

function check(request: StartRequest): void {
  checkRunId(request.id);
  if (request.argv.length === 0) throw invalid("argv is empty: its first element names the program.");
  if (request.argv.some((argument) => argument.includes("\0")))
    throw invalid("An argument holds a zero byte.");
  if (!isAbsolute(request.cwd) || request.cwd.includes("\0")) {
    throw invalid(`The working directory ${JSON.stringify(request.cwd)} is not an absolute path.`);
  }
  if (request.program?.includes("\0")) throw invalid("The program's path holds a zero byte.");
  for (const [field] of optionKeys) {
    const value = request[field];
    if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) continue;
    throw invalid(`${field} is ${value}; it must be a whole number, 0 or more.`);
  }
  for (const [name, limit] of Object.entries(request.rlimits ?? {})) {
    const isNumber = [limit.soft, limit.hard].every(
      (value) => value === "infinity" || (Number.isSafeInteger(value) && value >= 0),
    );
    if (!isNumber || !/^[a-z]+$/.test(name))
      throw invalid(`The limit ${JSON.stringify(name)} is not one the keeper can set.`);
  }
}

function invalid(message: string): HoldfastError {
  return new HoldfastError("INVALID_ARGUMENT", message);
}
