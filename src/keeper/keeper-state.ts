// What a keeper says about its run (the STATE frame of CONTRACT.md §4.2).
import type { ExitRecord } from "../protocol/exit.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { exitRecordOfState } from "./exit-record.ts";
import { parseText, textNumber, textValue, type TextLines } from "./text-format.ts";

const keeperStates = ["starting", "running", "stopping", "ended"] as const;

/** What the program has made of its terminal: whether it reads lines, shows what is typed, and who is in front. */
export interface TerminalState {
  readonly isCanonical: boolean;
  readonly isEchoing: boolean;
  /** Process group; 0 if there is none. */
  readonly foregroundGroup: number;
}

export interface KeeperState {
  readonly state: (typeof keeperStates)[number];
  readonly pid: number;
  /** Kernel start time of the child. */
  readonly startTime: number;
  readonly stdin: "open" | "closed";
  /** Absolute offset of the end of output. */
  readonly outputBytes: number;
  /** The first offset after the dropped part. */
  readonly firstTailOffset: number;
  readonly droppedBytes: number;
  readonly gapBytes: number;
  /** Of the terminal, if there is one. */
  readonly columns: number;
  readonly rows: number;
  /** While there is a terminal. */
  readonly terminal?: TerminalState;
  /** Living descendants; only known once ended. */
  readonly descendants: number;
  /** No more output can come. */
  readonly isOutputClosed: boolean;
  /** Once ended. */
  readonly exit?: ExitRecord;
}

/** @throws HoldfastError CONTRACT_MISMATCH for a text without a state this version knows, or ended without an exit */
export function parseKeeperState(text: string): KeeperState {
  const lines = parseText(text);
  const state = keeperStates.find((known) => known === textValue(lines, "state"));
  const exit = state === "ended" ? exitRecordOfState(lines) : undefined;
  const terminal = terminalOf(lines);
  if (state === undefined || (state === "ended" && exit === undefined)) {
    throw new HoldfastError(
      "CONTRACT_MISMATCH",
      `The keeper described its state in a way that cannot be read: ${text}`,
    );
  }
  return {
    state,
    pid: textNumber(lines, "pid") ?? 0,
    startTime: textNumber(lines, "start") ?? 0,
    stdin: textValue(lines, "stdin") === "open" ? "open" : "closed",
    // Once ended, `output_bytes` is the exit record's: a descendant may have written more since.
    outputBytes: textNumber(lines, "end_offset") ?? textNumber(lines, "output_bytes") ?? 0,
    firstTailOffset: textNumber(lines, "first_tail") ?? 0,
    droppedBytes: textNumber(lines, "dropped") ?? 0,
    gapBytes: textNumber(lines, "gap_bytes") ?? 0,
    columns: textNumber(lines, "columns") ?? 0,
    rows: textNumber(lines, "rows") ?? 0,
    ...(terminal === undefined ? {} : { terminal }),
    descendants: textNumber(lines, "living") ?? textNumber(lines, "descendants") ?? 0,
    isOutputClosed: textNumber(lines, "closed") === 1,
    ...(exit === undefined ? {} : { exit }),
  };
}

function terminalOf(lines: TextLines): TerminalState | undefined {
  const canonical = textNumber(lines, "canonical");
  if (canonical === undefined) return undefined;
  return {
    isCanonical: canonical === 1,
    isEchoing: textNumber(lines, "echo") === 1,
    foregroundGroup: textNumber(lines, "foreground") ?? 0,
  };
}
