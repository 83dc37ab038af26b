// The one registry of error codes. A code decides HTTP status, CLI exit code and retry rule through its
// category; docs/errors.md is generated from this file. A child's failure is not an error: see exit.ts.

import { accessErrors } from "./access-errors.ts";
import { define, type ErrorDefinition } from "./error-definition.ts";
import { terminalErrors } from "./terminal-errors.ts";

export type { ErrorCategory, ErrorDefinition } from "./error-definition.ts";

export const errorRegistry = {
  INVALID_ARGUMENT: define("invalid", {
    summary: "An argument has a value that cannot be used.",
    hint: "Correct the argument named in the message and ask again.",
  }),
  LINE_TOO_LONG: define("invalid", {
    summary: "A line is longer than a canonical terminal takes; the kernel would cut it silently.",
    hint: "Send lines of at most 4,095 bytes, or start the process with a pipe instead of a terminal.",
  }),
  REQUEST_TOO_LARGE: define("invalid", {
    summary: "A request does not fit into one frame.",
    hint: "Make the arguments and the environment smaller; pass large input through stdin or a file.",
  }),
  NOT_A_TERMINAL: define("invalid", {
    summary: "The process has pipes, and the request needs a terminal.",
    hint: "Start the process in pty mode to resize it or hang it up.",
  }),
  UNSUPPORTED_PLATFORM: define("invalid", {
    summary: "There is no keeper for this operating system or processor.",
    hint: "Use Linux or macOS; in a checkout, run `npm run build` to build the keeper.",
  }),
  REAL_HOME_IN_TEST: define("invalid", {
    summary: "A test asked for the real home of the person who runs it.",
    hint: "Use the home of the test file: test/support/test-home.ts.",
  }),
  CONFIG_INVALID: define("invalid", {
    summary: "The configuration has a problem; the last good one stays in force.",
    hint: "Correct the file, variable or value named in the message; `holdfast config check` shows what is left.",
  }),
  CONFIG_KEY_UNKNOWN: define("not_found", {
    summary: "No configuration key has this name.",
    hint: "See the keys with `holdfast config list`.",
  }),
  PROCESS_NOT_FOUND: define("not_found", {
    summary: "No process has this id or name.",
    hint: "List the processes with `holdfast ps -a`; an ended one is removed after its retention.",
  }),
  DELEGATION_NOT_FOUND: define("not_found", {
    summary: "No delegation has this id.",
    hint: "List them with `holdfast delegation list`.",
  }),
  DELEGATION_OVER: define("conflict", {
    summary: "The delegation has ended already.",
    hint: "Register new work with `delegation start`.",
  }),
  NOT_A_JOB: define("conflict", {
    summary: "The process is no job.",
    hint: "Use `holdfast show` and `holdfast logs` for it.",
  }),
  SESSION_NOT_FOUND: define("not_found", {
    summary: "No session has this key, or it has ended.",
    hint: "List them with `holdfast sessions`.",
  }),
  SESSION_BUSY: define("conflict", {
    summary: "Somebody else works on the session.",
    hint: "Wait until details.until, or until whoever it is says that the session is idle.",
  }),
  NOTICE_NOT_FOUND: define("not_found", {
    summary: "No notice has this id.",
    hint: "List them with `holdfast notifications list`; a settled one is removed after a while.",
  }),
  WATCH_NOT_FOUND: define("not_found", {
    summary: "No watch has this id.",
    hint: "List the watches of a process with `holdfast watch list ID`; they go with their process.",
  }),
  NOT_FOUND: define("not_found", {
    summary: "There is nothing at this address.",
    hint: "See details.operations for the verbs, and /openapi.json for what they take.",
  }),
  UNSUPPORTED_OPERATION: define("not_found", {
    summary: "The daemon does not know this verb.",
    hint: "See details.operations for the verbs it has; an older daemon learns new ones by a restart from a newer release.",
  }),
  RUN_NOT_FOUND: define("not_found", {
    summary: "No run has this id.",
    hint: "List the runs of this home; a removed run does not come back.",
  }),
  ...accessErrors,
  POLICY_DENIED: define("denied", {
    summary: "The policy of the profile denies this command; nothing was started.",
    hint: "See details.reasons for the rule; do it in another way, or ask the person who wrote the policy.",
  }),
  APPROVAL_REFUSED: define("denied", {
    summary: "A person was asked and refused this command; nothing was started.",
    hint: "Do it in another way, or tell the person what you need and why.",
  }),
  APPROVAL_EXPIRED: define("denied", {
    summary: "Nobody answered the approval in time, so the command is refused; nothing was started.",
    hint: "Tell the person that you need it, then ask for the same command again.",
  }),
  APPROVAL_PENDING: define(
    "timeout",
    {
      summary: "A person must allow this command first, and has not yet; nothing was started.",
      hint: "A person answers with `holdfast approvals answer`; then ask for the same command again.",
    },
    { retryable: false },
  ),
  APPROVAL_NOT_FOUND: define("not_found", {
    summary: "No approval has this id.",
    hint: "List them with `holdfast approvals list -a`.",
  }),
  APPROVAL_OVER: define("conflict", {
    summary: "The approval was answered already, or its time is over.",
    hint: "Ask for the command again if it is still wanted.",
  }),
  PERSON_REQUIRED: define("denied", {
    summary: "Only a person may do this: not a session, and nothing that runs inside a kept process.",
    hint: "Let the person do it in a terminal of their own, outside Holdfast, with HOLDFAST_SESSION unset.",
  }),
  NOT_YOURS: define("denied", {
    summary: "What a session asked for belongs to another session, or to nobody, and was not shared with it.",
    hint: "Use what is yours; its own session, or a person, shares a process with `holdfast share`.",
  }),
  RUN_CLAIMED: define("conflict", {
    summary: "The run id is taken.",
    hint: "Choose another id; nothing was started.",
  }),
  PROCESS_AMBIGUOUS: define("conflict", {
    summary: "The prefix fits more than one process.",
    hint: "Type more characters of the id.",
  }),
  NAME_IN_USE: define("conflict", {
    summary: "A living process has this name.",
    hint: "Choose another name, or use replace to stop that one first.",
  }),
  PROCESS_RUNNING: define("conflict", {
    summary: "The process still runs.",
    hint: "Stop it first, or use force.",
  }),
  INVALID_TRANSITION: define("conflict", {
    summary: "The process is in a state that does not allow this.",
    hint: "Look at its state and ask again.",
  }),
  STORE_CONFLICT: define("conflict", {
    summary: "The store already has a row with a value that must be unique.",
    hint: "See details.columns for the value, and ask again with another one.",
  }),
  STORE_TOO_NEW: define("conflict", {
    summary: "A newer Holdfast wrote the store of this home; nothing in it was touched.",
    hint: "Install that version again, or use another home.",
  }),
  DAEMON_RUNNING: define("conflict", {
    summary: "Another daemon has this home.",
    hint: "Use that one; `holdfast daemon status` tells which it is.",
  }),
  DAEMON_FOREIGN: define("conflict", {
    summary: "A daemon in another container (PID namespace), or on another machine, has this home.",
    hint: "Use it there, or give this place a home of its own with HOLDFAST_HOME.",
  }),
  DAEMON_UNPROVEN: define("conflict", {
    summary: "Somebody has this home, and what can be seen does not prove who; nobody was signalled.",
    hint: "See `holdfast daemon status`, and end that program yourself.",
  }),
  DAEMON_DENIED: define("denied", {
    summary: "The daemon of this home is another user's and may not be signalled.",
    hint: "Ask as that user, or as root.",
  }),
  UNIT_NOT_OURS: define("conflict", {
    summary:
      "The file of the service manager was not written by Holdfast for this home, or was changed by hand.",
    hint: "Look at it, and move it away if it is not needed; `holdfast daemon install --force` replaces it.",
  }),
  AGENT_NOT_FOUND: define("not_found", {
    summary: "None of the agents Holdfast knows was found here.",
    hint: "Name one with --agent, or write its entry by hand: docs/agents.md.",
  }),
  AGENT_CONFIG_INVALID: define("invalid", {
    summary:
      "The configuration file of an agent cannot be read, or not changed by a program; it was left alone.",
    hint: "Correct the line named in the message, or write the entry by hand: docs/agents.md.",
  }),
  AGENT_CONFIG_CHANGED: define(
    "conflict",
    {
      summary:
        "The configuration file of an agent changed while its change was being asked for; it was left alone.",
      hint: "Close the agent and ask again.",
    },
    { retryable: true },
  ),
  AGENT_ENTRY_DIFFERS: define("conflict", {
    summary: "The agent has another entry of this name; it was left alone.",
    hint: "Look at it, and replace it with `holdfast init --replace`.",
  }),
  CONFIRMATION_REQUIRED: define("denied", {
    summary: "Nobody is there to be asked, and nobody said yes beforehand; nothing was changed.",
    hint: "Run it at a terminal, or with --yes.",
  }),
  LOCK_HELD: define("conflict", {
    summary: "Another process has this lock.",
    hint: "See details.lock for its owner; wait for it, or let its owner release it.",
  }),
  LOCK_NOT_OWNED: define("conflict", {
    summary: "The lock is another process's, or nobody's: nothing was released.",
    hint: "See `holdfast lock list`; name its owner with --pid if you act for it.",
  }),
  LOCK_OWNER_REFUSED: define("denied", {
    summary:
      "The process that should own the lock has ended, is another user's, or cannot be seen from here.",
    hint: "Name a living process of yours with --pid (in the API: pid).",
  }),
  LOCK_DIRECTORY_UNSAFE: define("denied", {
    summary: "Others may write to the directory of the locks.",
    hint: "Make it yours alone, or choose another one with HOLDFAST_LOCK_DIR.",
  }),
  ...terminalErrors,
  SEQUENCE_GAP: define("conflict", {
    summary: "Bytes of this writer are missing before these, or the keeper has forgotten the writer.",
    hint: "Look at the output to learn what arrived, then write the rest with a new writer.",
  }),
  PROCESS_ENDED: define("conflict", {
    summary: "The process has ended.",
    hint: "Read its exit and its output; start it again to go on.",
  }),
  OUTPUT_TRIMMED: define("gone", {
    summary: "The output asked for was dropped to stay within the limit.",
    hint: "Read from the offset that the message tells (details.firstOffset) on, or start the process with a larger limit.",
  }),
  TOO_MANY_PROCESSES: define("limit", {
    summary: "As many processes run as the configuration allows.",
    hint: "Stop one, or raise processes.maxRunning; none was ended to make room.",
  }),
  CLIENT_TOO_SLOW: define("limit", {
    summary: "The client did not read what it asked for; its stream was closed.",
    hint: "Come back with the last cursor: nothing is lost.",
  }),
  TOO_MANY_CLIENTS: define("limit", {
    summary: "The keeper of this run already serves as many clients as it can.",
    hint: "Close a viewer and try again.",
  }),
  DAEMON_UNREACHABLE: define("unavailable", {
    summary: "No daemon answers for this home.",
    hint: "Start it with `holdfast daemon start`, or read daemon.log in the home.",
  }),
  DAEMON_GONE: define("unavailable", {
    summary: "The connection to the daemon was lost; what was asked may or may not have been done.",
    hint: "Look at the state before asking again; a start with an idempotency key may simply be asked again.",
  }),
  DAEMON_STOPPING: define("unavailable", {
    summary: "The daemon is about to end and starts nothing new.",
    hint: "Ask again in a moment; the next daemon takes over.",
  }),
  LAUNCHER_UNREACHABLE: define("unavailable", {
    summary: "The launcher of this home cannot be reached or started.",
    hint: "Try again; if it stays so, read launcher.log in the home.",
  }),
  KEEPER_UNREACHABLE: define("unavailable", {
    summary: "The keeper of this run does not answer.",
    hint: "Try again; if it stays so, read launcher.log in the home.",
  }),
  KEEPER_GONE: define("unavailable", {
    summary: "The connection to the keeper was lost; what was asked may or may not have been done.",
    hint: "Look at the state of the run before asking again.",
  }),
  SERVICE_MANAGER_FAILED: define("unavailable", {
    summary: "The service manager does not run here, or refused what it was asked.",
    hint: "See the message; the file is in place, and the command can be given by hand.",
  }),
  CONFINEMENT_UNAVAILABLE: define(
    "unavailable",
    {
      summary: "A command that must be confined cannot be confined on this machine; nothing was started.",
      hint: "See details.lack and `holdfast doctor`; a person may mend that, or take the confinement out of the start or the configuration.",
    },
    { retryable: false },
  ),
  STORE_FULL: define("unavailable", {
    summary: "The disk of the store is full; nothing was changed, and reading still works.",
    hint: "Free some space on the disk of the home, then ask again.",
  }),
  STORE_READ_ONLY: define(
    "unavailable",
    {
      summary: "The store cannot be written; reading still works.",
      hint: "Make the home writable, then restart the daemon.",
    },
    { retryable: false },
  ),
  STORE_BUSY: define("unavailable", {
    summary: "Another program holds the store locked; nothing was changed.",
    hint: "Close the program that has the store open, then ask again.",
  }),
  STORE_CLOSED: define("unavailable", {
    summary: "The store is closed because its owner ends.",
    hint: "Ask again when the daemon is back.",
  }),
  START_TIMEOUT: define("timeout", {
    summary: "The start was not answered in time; nothing of it goes on running.",
    hint: "Check that the working directory is not on a hung mount, then try again.",
  }),
  WAIT_TIMEOUT: define("timeout", {
    summary: "What was waited for was not so within the timeout; the processes go on.",
    hint: "Wait again, or look at the output with `holdfast logs`.",
  }),
  WAIT_INTERRUPTED: define("timeout", {
    summary: "The session was interrupted while it waited; the processes go on.",
    hint: "Wait again when there is nothing else to do.",
  }),
  DAEMON_STUCK: define("timeout", {
    summary: "The daemon does not end, not even by SIGKILL; no other was started.",
    hint: "Look at it with `ps`: state D is a disk or network that does not answer; end it, then ask again.",
  }),
  STORE_CORRUPT: define("internal", {
    summary: "The store is damaged or is no store.",
    hint: "Restart the daemon: it sets the file aside, deletes nothing and rebuilds the store from the run directories.",
  }),
  STORE_FAILED: define("internal", {
    summary: "The store could not be read or written for a reason of the machine.",
    hint: "See details.reason; check the disk of the home.",
  }),
  RUN_DAMAGED: define("internal", {
    summary: "A file of the run directory cannot be read as what it should be.",
    hint: "Look at the file named in the message; the output segments can be read with plain tools.",
  }),
  CONTRACT_MISMATCH: define("internal", {
    summary: "The two sides of a connection speak different versions of the keeper contract.",
    hint: "Restart the older side, so that both come from releases that understand each other.",
  }),
  HOME_UNUSABLE: define("invalid", {
    summary: "The home is no directory, or none can be made there.",
    hint: "Set HOLDFAST_HOME to a directory of yours, or to where one can be made.",
  }),
  SYSTEM_ERROR: define("internal", {
    summary: "The operating system refused something.",
    hint: "See details.errno for the reason.",
  }),
  INTERNAL: define("internal", {
    summary: "Something happened that should be impossible.",
    hint: "Report it, with the message.",
  }),
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorRegistry;

export type ErrorDetails = Readonly<Record<string, unknown>>;

export interface HoldfastErrorOptions {
  readonly details?: ErrorDetails;
  readonly hint?: string;
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/** The only error class that crosses a module's border. */
export class HoldfastError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly hint: string;
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, options: HoldfastErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "HoldfastError";
    this.code = code;
    this.details = options.details ?? {};
    this.hint = options.hint ?? errorRegistry[code].hint;
    this.retryable = options.retryable ?? errorRegistry[code].retryable;
  }
}

/** Is this a HoldfastError, with one of these codes if any are given? */
export function isHoldfastError(error: unknown, ...codes: readonly ErrorCode[]): error is HoldfastError {
  return error instanceof HoldfastError && (codes.length === 0 || codes.includes(error.code));
}
