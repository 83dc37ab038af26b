// The numbers of CONTRACT.md §4 and §5, and the error that each error number becomes on this side.
import type { ErrorCode } from "../protocol/errors.ts";
import type { StartStage, StopReason } from "../protocol/exit.ts";

export const contractVersion = { major: 1, minor: 1 } as const;

export const frameLimits = {
  headerBytes: 9,
  /** Of what follows the length field. */
  leastBytes: 5,
  mostBytes: 131_072,
  mostStartBytes: 8_388_608,
  mostWriteBytes: 65_536,
} as const;

export const frameType = {
  hello: 0x01,
  askState: 0x02,
  output: 0x03,
  credit: 0x04,
  write: 0x05,
  closeStdin: 0x06,
  resize: 0x07,
  signal: 0x08,
  stop: 0x09,
  hangup: 0x0a,
  reexec: 0x0b,
  spare: 0x0c,
  outside: 0x0d,
  ping: 0x0f,
  start: 0x20,
  recover: 0x21,
  status: 0x22,
  ok: 0x40,
  error: 0x41,
  state: 0x42,
  data: 0x43,
  mark: 0x44,
  outputEnd: 0x45,
  missing: 0x46,
  started: 0x47,
  ended: 0x48,
  stopped: 0x49,
  stdinRoom: 0x4a,
  startFailed: 0x4b,
} as const;

export const outputFlag = { follow: 1, marks: 2 } as const;
export const writeFlag = { secret: 1, force: 2 } as const;
export const stopFlag = { noKill: 1, abandoned: 2 } as const;

/** OUTPUT from here means: from the end. */
export const endOfOutput = 0xffff_ffff_ffff_ffffn;

export const signalTargets = { child: 0, foreground: 1, tree: 2 } as const;
export type SignalTarget = keyof typeof signalTargets;

export const stopReasons = {
  none: 0,
  user: 1,
  timeout: 2,
  idle: 3,
  memory: 4,
  oom: 5,
  output: 6,
  lifetime: 7,
  replaced: 8,
} as const satisfies Record<StopReason, number>;

export const startStages = {
  claim: 1,
  rundir: 2,
  pty: 3,
  pipe: 4,
  fork: 5,
  session: 6,
  rlimit: 7,
  nice: 8,
  stdio: 9,
  cwd: 10,
  exec: 11,
  interpreter: 12,
  deadline: 13,
  keeper: 14,
  landlock: 15,
  namespace: 16,
  mount: 17,
  seccomp: 18,
} as const satisfies Record<StartStage, number>;

export const stopOutcomes = ["had_ended", "ended", "killed", "still_there"] as const;
/** had_ended: nothing was left to stop; ended: went when asked; killed: had to be; still_there: no-kill, or out of reach. */
export type StopOutcome = (typeof stopOutcomes)[number];

const errorNumbers: Readonly<Record<number, ErrorCode>> = {
  1: "INVALID_ARGUMENT", // MALFORMED: whole frames are this side's care, what is in them the caller's
  2: "CONTRACT_MISMATCH",
  3: "OUTPUT_TRIMMED",
  4: "LINE_TOO_LONG",
  5: "ECHO_ON",
  6: "STDIN_CLOSED",
  7: "SEQUENCE_GAP",
  8: "NOT_A_TERMINAL",
  9: "PROCESS_ENDED",
  10: "TOO_MANY_CLIENTS",
  11: "SYSTEM_ERROR",
  12: "RUN_CLAIMED",
  13: "RUN_NOT_FOUND",
  14: "REQUEST_TOO_LARGE",
  15: "START_TIMEOUT",
};

/** The code for an error number; one that a newer minor version added is INTERNAL, with its message kept. */
export function errorCodeOf(number: number): ErrorCode {
  return errorNumbers[number] ?? "INTERNAL";
}

function nameOf<Name extends string>(
  table: Readonly<Record<Name, number>>,
  number: number,
): Name | undefined {
  // Object.keys loses the key type; the table's own type says what its keys are.
  return (Object.keys(table) as Name[]).find((name) => table[name] === number);
}

export function startStageOf(number: number): StartStage | undefined {
  return nameOf(startStages, number);
}

export function stopReasonNamed(name: string): StopReason | undefined {
  return Object.hasOwn(stopReasons, name) ? (name as StopReason) : undefined; // hasOwn has just proven it
}

export function startStageNamed(name: string): StartStage | undefined {
  return Object.hasOwn(startStages, name) ? (name as StartStage) : undefined; // hasOwn has just proven it
}
