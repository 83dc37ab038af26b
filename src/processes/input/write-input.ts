// The verb `write`: text, keys and pastes become bytes for the child's stdin.
import { randomBytes } from "node:crypto";
import type { InputPart, WriteInput } from "../../protocol/control.ts";
import { HoldfastError, isHoldfastError } from "../../protocol/errors.ts";
import type { ProcessRecord } from "../../store/index.ts";
import { directoryOf, type ProcessContext } from "../context.ts";
import { encodeKey, encodePaste } from "./keys.ts";
import { terminalModes, type TerminalModes } from "./terminal-modes.ts";

export interface Written {
  readonly bytes: number;
  readonly next: number;
}

const noTerminal: TerminalModes = { applicationCursor: false, bracketedPaste: false };

function encodePart(part: InputPart, modes: TerminalModes, isTerminal: boolean): Buffer {
  if ("text" in part) return Buffer.from(part.text);
  if ("base64" in part) return Buffer.from(part.base64, "base64");
  if ("paste" in part) return Buffer.from(isTerminal ? encodePaste(part.paste, modes) : part.paste);
  const typed = encodeKey(part.key, modes);
  // A program that reads a pipe knows no carriage return.
  return Buffer.from(!isTerminal && typed === "\r" ? "\n" : typed);
}

function encodeParts(input: WriteInput, modes: TerminalModes, isTerminal: boolean): Buffer {
  try {
    return Buffer.concat(input.parts.map((part) => encodePart(part, modes, isTerminal)));
  } catch (error) {
    // Its message names the key, and whoever puts a secret in the wrong field must not find it in an error.
    if (!input.secret || !isHoldfastError(error)) throw error;
    throw new HoldfastError(error.code, "One of the keys of the secret input has no name that is known.", {
      hint: error.hint,
    });
  }
}

/** @throws HoldfastError INVALID_ARGUMENT, LINE_TOO_LONG, ECHO_ON, STDIN_CLOSED, PROCESS_ENDED, SEQUENCE_GAP */
export async function writeInput(
  context: ProcessContext,
  record: ProcessRecord,
  input: WriteInput,
): Promise<Written> {
  const isTerminal = record.mode === "pty";
  const needsModes = isTerminal && input.parts.some((part) => "key" in part || "paste" in part);
  const modes = needsModes ? await terminalModes(directoryOf(context, record.id)) : noTerminal;
  const bytes = encodeParts(input, modes, isTerminal);
  const writer = input.writer ?? { id: randomBytes(8).toString("hex"), sequence: 0 };
  const { secret, force } = input;
  return {
    bytes: bytes.length,
    next: await writeBytes(context, record.id, { writer, bytes, secret, force }),
  };
}

export interface InputBytes {
  /** The id in 16 hexadecimal digits, and how many bytes it has written before. */
  readonly writer: { readonly id: string; readonly sequence: number };
  readonly bytes: Buffer;
  readonly secret?: boolean;
  readonly force?: boolean;
}

/** Resolves with the writer's next sequence. @throws HoldfastError LINE_TOO_LONG, ECHO_ON, STDIN_CLOSED, PROCESS_ENDED, SEQUENCE_GAP */
export async function writeBytes(
  context: ProcessContext,
  id: string,
  { writer, bytes, ...options }: InputBytes,
): Promise<number> {
  const keeperWriter = { id: BigInt(`0x${writer.id}`) || 1n, sequence: writer.sequence }; // 0 is the keeper itself
  const next = await context.inputs.use(id, (kept) => kept.writeAs(keeperWriter, bytes, options));
  context.watches.inputGiven(id);
  return next;
}
