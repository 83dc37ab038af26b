import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { renderErrorsDoc } from "./errors-doc.ts";
import { errorRegistry, HoldfastError, isHoldfastError } from "./errors.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/errors.md"), "utf8");

describe("the registry", () => {
  // Literals on purpose: scripts of users depend on these numbers.
  test("gives each code the status, exit code and retry rule it has always had", () => {
    const facts = Object.entries(errorRegistry).map(([code, { httpStatus, exitCode, retryable }]) => {
      return `${code} ${httpStatus} ${exitCode} ${retryable}`;
    });
    expect(facts).toEqual([
      "INVALID_ARGUMENT 400 2 false",
      "LINE_TOO_LONG 400 2 false",
      "REQUEST_TOO_LARGE 400 2 false",
      "NOT_A_TERMINAL 400 2 false",
      "UNSUPPORTED_PLATFORM 400 2 false",
      "REAL_HOME_IN_TEST 400 2 false",
      "CONFIG_INVALID 400 2 false",
      "CONFIG_KEY_UNKNOWN 404 5 false",
      "PROCESS_NOT_FOUND 404 5 false",
      "DELEGATION_NOT_FOUND 404 5 false",
      "DELEGATION_OVER 409 6 false",
      "NOT_A_JOB 409 6 false",
      "SESSION_NOT_FOUND 404 5 false",
      "SESSION_BUSY 409 6 false",
      "NOTICE_NOT_FOUND 404 5 false",
      "WATCH_NOT_FOUND 404 5 false",
      "NOT_FOUND 404 5 false",
      "UNSUPPORTED_OPERATION 404 5 false",
      "RUN_NOT_FOUND 404 5 false",
      "UNAUTHENTICATED 401 4 false",
      "SIGN_IN_FAILED 401 4 false",
      "TOO_MANY_ATTEMPTS 429 7 true",
      "PROVIDER_UNREACHABLE 503 3 true",
      "ORIGIN_REFUSED 403 4 false",
      "ROLE_REQUIRED 403 4 false",
      "DASHBOARD_UNAVAILABLE 503 3 true",
      "TOKEN_NOT_FOUND 404 5 false",
      "POLICY_DENIED 403 4 false",
      "APPROVAL_REFUSED 403 4 false",
      "APPROVAL_EXPIRED 403 4 false",
      "APPROVAL_PENDING 504 8 false",
      "APPROVAL_NOT_FOUND 404 5 false",
      "APPROVAL_OVER 409 6 false",
      "PERSON_REQUIRED 403 4 false",
      "NOT_YOURS 403 4 false",
      "RUN_CLAIMED 409 6 false",
      "PROCESS_AMBIGUOUS 409 6 false",
      "NAME_IN_USE 409 6 false",
      "PROCESS_RUNNING 409 6 false",
      "INVALID_TRANSITION 409 6 false",
      "STORE_CONFLICT 409 6 false",
      "STORE_TOO_NEW 409 6 false",
      "DAEMON_RUNNING 409 6 false",
      "DAEMON_FOREIGN 409 6 false",
      "DAEMON_UNPROVEN 409 6 false",
      "DAEMON_DENIED 403 4 false",
      "UNIT_NOT_OURS 409 6 false",
      "AGENT_NOT_FOUND 404 5 false",
      "AGENT_CONFIG_INVALID 400 2 false",
      "AGENT_CONFIG_CHANGED 409 6 true",
      "AGENT_ENTRY_DIFFERS 409 6 false",
      "CONFIRMATION_REQUIRED 403 4 false",
      "LOCK_HELD 409 6 false",
      "LOCK_NOT_OWNED 409 6 false",
      "LOCK_OWNER_REFUSED 403 4 false",
      "LOCK_DIRECTORY_UNSAFE 403 4 false",
      "ECHO_ON 409 6 false",
      "KEYBOARD_NOT_HELD 409 6 false",
      "NO_VIEWER 409 6 false",
      "NOT_A_DIRECTORY 400 2 false",
      "TOO_MANY_TERMINALS 429 7 true",
      "SHELL_NOT_STARTED 400 2 false",
      "STDIN_CLOSED 409 6 false",
      "SEQUENCE_GAP 409 6 false",
      "PROCESS_ENDED 409 6 false",
      "OUTPUT_TRIMMED 410 6 false",
      "TOO_MANY_PROCESSES 429 7 true",
      "CLIENT_TOO_SLOW 429 7 true",
      "TOO_MANY_CLIENTS 429 7 true",
      "DAEMON_UNREACHABLE 503 3 true",
      "DAEMON_GONE 503 3 true",
      "DAEMON_STOPPING 503 3 true",
      "LAUNCHER_UNREACHABLE 503 3 true",
      "KEEPER_UNREACHABLE 503 3 true",
      "KEEPER_GONE 503 3 true",
      "SERVICE_MANAGER_FAILED 503 3 true",
      "CONFINEMENT_UNAVAILABLE 503 3 false",
      "STORE_FULL 503 3 true",
      "STORE_READ_ONLY 503 3 false",
      "STORE_BUSY 503 3 true",
      "STORE_CLOSED 503 3 true",
      "START_TIMEOUT 504 8 true",
      "WAIT_TIMEOUT 504 8 true",
      "WAIT_INTERRUPTED 504 8 true",
      "DAEMON_STUCK 504 8 true",
      "STORE_CORRUPT 500 70 false",
      "STORE_FAILED 500 70 false",
      "RUN_DAMAGED 500 70 false",
      "CONTRACT_MISMATCH 500 70 false",
      "HOME_UNUSABLE 400 2 false",
      "SYSTEM_ERROR 500 70 false",
      "INTERNAL 500 70 false",
    ]);
  });

  test("has a sentence for what happened and one for what to do", () => {
    for (const { summary, hint } of Object.values(errorRegistry)) {
      expect(summary).toMatch(/^[A-Z].*\.$/);
      expect(hint).toMatch(/^[A-Z].*\.$/);
    }
  });
});

describe("docs/errors.md", () => {
  test("has a section for every code, and no section without one", () => {
    const sections = [...page.matchAll(/^## (.+)$/gm)].map((match) => match[1]);
    expect(sections).toEqual(Object.keys(errorRegistry));
  });

  test("is what `node scripts/generate-errors-doc.ts` writes", () => {
    expect(page).toBe(renderErrorsDoc());
  });
});

describe("HoldfastError", () => {
  test("takes hint and retry rule from the registry unless it is given its own", () => {
    const error = new HoldfastError("OUTPUT_TRIMMED", "gone", { details: { firstOffset: 7 } });
    expect(error).toMatchObject({ code: "OUTPUT_TRIMMED", retryable: false, details: { firstOffset: 7 } });
    expect(error.hint).toBe(errorRegistry.OUTPUT_TRIMMED.hint);
    const own = new HoldfastError("INTERNAL", "x", { hint: "Wait.", retryable: true, cause: error });
    expect(own).toMatchObject({ hint: "Wait.", retryable: true, cause: error, details: {} });
    expect("cause" in new HoldfastError("INTERNAL", "x")).toBe(false);
  });

  test("is told from other errors, by code as well", () => {
    const error = new HoldfastError("RUN_CLAIMED", "taken");
    expect(isHoldfastError(error)).toBe(true);
    expect(isHoldfastError(error, "INTERNAL", "RUN_CLAIMED")).toBe(true);
    expect(isHoldfastError(error, "INTERNAL")).toBe(false);
    expect(isHoldfastError(new Error("taken"))).toBe(false);
  });
});
