// The one registry of error codes. A code decides HTTP status, CLI exit code and retry rule through its
// category; docs/errors.md is generated from this file. A child's failure is not an error: see exit.ts.

interface CategoryRule {
  readonly httpStatus: number;
  readonly exitCode: number;
  readonly retryable: boolean;
}

const categories = {
  invalid: { httpStatus: 400, exitCode: 2, retryable: false },
  unauthenticated: { httpStatus: 401, exitCode: 4, retryable: false },
  denied: { httpStatus: 403, exitCode: 4, retryable: false },
  not_found: { httpStatus: 404, exitCode: 5, retryable: false },
  conflict: { httpStatus: 409, exitCode: 6, retryable: false },
  gone: { httpStatus: 410, exitCode: 6, retryable: false },
  limit: { httpStatus: 429, exitCode: 7, retryable: true },
  unavailable: { httpStatus: 503, exitCode: 3, retryable: true },
  timeout: { httpStatus: 504, exitCode: 8, retryable: true },
  internal: { httpStatus: 500, exitCode: 70, retryable: false },
} as const satisfies Record<string, CategoryRule>;

export type ErrorCategory = keyof typeof categories;

interface ErrorText {
  /** What happened, one sentence. */
  readonly summary: string;
  /** What to do next, one sentence. */
  readonly hint: string;
}

export interface ErrorDefinition extends CategoryRule, ErrorText {
  readonly category: ErrorCategory;
}

/** `retryable` is given only where a code departs from its category. */
function define(
  category: ErrorCategory,
  text: ErrorText,
  rule: { readonly retryable?: boolean } = {},
): ErrorDefinition {
  return { category, ...categories[category], ...text, ...rule };
}

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
  RUN_NOT_FOUND: define("not_found", {
    summary: "No run has this id.",
    hint: "List the runs of this home; a removed run does not come back.",
  }),
  RUN_CLAIMED: define("conflict", {
    summary: "The run id is taken.",
    hint: "Choose another id; nothing was started.",
  }),
  ECHO_ON: define("conflict", {
    summary: "The terminal would show the secret on its screen.",
    hint: "Send the secret when the program asks for it, or force it.",
  }),
  STDIN_CLOSED: define("conflict", {
    summary: "The standard input of the process is closed.",
    hint: "Start the process with stdin open, and write before closing it.",
  }),
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
    hint: "Read from details.firstOffset on, or start the process with a larger limit.",
  }),
  TOO_MANY_CLIENTS: define("limit", {
    summary: "The keeper of this run already serves as many clients as it can.",
    hint: "Close a viewer and try again.",
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
  START_TIMEOUT: define("timeout", {
    summary: "The start was not answered in time; nothing of it goes on running.",
    hint: "Check that the working directory is not on a hung mount, then try again.",
  }),
  RUN_DAMAGED: define("internal", {
    summary: "A file of the run directory cannot be read as what it should be.",
    hint: "Look at the file named in the message; the output segments can be read with plain tools.",
  }),
  CONTRACT_MISMATCH: define("internal", {
    summary: "The two sides of a connection speak different versions of the keeper contract.",
    hint: "Restart the older side, so that both come from releases that understand each other.",
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
