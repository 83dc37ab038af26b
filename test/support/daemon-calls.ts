// Typed calls for tests: an answer, or the error code.
import { expect } from "vitest";
import type { OperationInput, OperationName, OperationOutput } from "../../src/protocol/operations.ts";
import type { DaemonHome } from "./daemon-home.ts";

interface ErrorAnswer {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: Record<string, unknown>;
  };
}

/** The answer of an operation; fails the test on an error. */
export async function ask<Name extends OperationName>(
  daemon: DaemonHome,
  name: Name,
  input: OperationInput<Name>,
): Promise<OperationOutput<Name>> {
  const { status, body } = await daemon.call(name, input);
  expect(status, `${name}: ${JSON.stringify(body)}`).toBe(200);
  return body as OperationOutput<Name>; // the daemon's own schemas made it
}

/** The error an operation answers with; fails the test when there is none. */
export async function refused(
  daemon: DaemonHome,
  name: string,
  input: unknown,
): Promise<ErrorAnswer["error"] & { status: number }> {
  const { status, body } = await daemon.call(name, input);
  expect(status, `${name} was not refused: ${JSON.stringify(body)}`).toBeGreaterThanOrEqual(400);
  return { ...(body as ErrorAnswer).error, status };
}

/** Starts a shell command and waits for its end. */
export async function runToEnd(
  daemon: DaemonHome,
  command: string,
  more: Partial<OperationInput<"process.start">> = {},
): Promise<string> {
  const { id } = await ask(daemon, "process.start", { command, cwd: "/", ...more });
  await ask(daemon, "process.wait", { ids: [id] });
  return id;
}
