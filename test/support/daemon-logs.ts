// The daemon's log as a test looks at it: the files themselves, the command that reads them, and requests that can be found in it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { headerName } from "../../src/protocol/live-frames.ts";
import { startCli, type CliAnswer, type RunningCli } from "./cli-home.ts";

export interface LoggedEntry {
  readonly level: string;
  readonly time: string;
  readonly pid: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** Paths of the files, oldest first. */
export function logFiles(home: string): string[] {
  const numbers = readdirSync(home)
    .map((name) => /^daemon\.log\.(\d+)$/.exec(name)?.[1])
    .filter((number) => number !== undefined)
    .map(Number);
  const names = numbers.toSorted((one, other) => other - one).map((number) => `daemon.log.${number}`);
  return [...names, "daemon.log"].map((name) => join(home, name)).filter((path) => existsSync(path));
}

export function logText(home: string): string {
  return logFiles(home)
    .map((path) => readFileSync(path, "utf8"))
    .join("");
}

export function logLines(home: string): string[] {
  return logText(home)
    .split("\n")
    .filter((line) => line !== "");
}

/** Fails when a line is no entry. */
export function loggedEntries(home: string): LoggedEntry[] {
  return logLines(home).map((line) => JSON.parse(line) as LoggedEntry); // written by the daemon under test
}

function environmentOf(home: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: process.env["HOME"] ?? "/",
    HOLDFAST_HOME: home,
  };
}

/** `holdfast daemon logs ARGS` to its end. */
export async function daemonLogs(home: string, ...args: readonly string[]): Promise<CliAnswer> {
  return await startCli(environmentOf(home), ["daemon", "logs", ...args]).answer;
}

/** `holdfast daemon logs -f ARGS`, interrupted when the test finishes. */
export function followDaemonLogs(home: string, ...args: readonly string[]): RunningCli {
  const running = startCli(environmentOf(home), ["daemon", "logs", "-f", ...args]);
  onTestFinished(async () => {
    running.child.kill("SIGINT");
    await running.answer;
  });
  return running;
}

export interface RawRequest {
  readonly socketPath: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** As any HTTP client would send it, right or wrong. */
export async function sendRaw({ socketPath, path, headers = {}, body = "{}" }: RawRequest): Promise<{
  status: number;
  requestId: string;
  body: string;
}> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    requestId: string;
    body: string;
  }>();
  const sent = request(
    { socketPath, path, method: "POST", headers: { "content-type": "application/json", ...headers } },
    (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
      answer.on("error", reject);
      answer.on("end", () => {
        const requestId = String(answer.headers[headerName.requestId]);
        resolve({ status: answer.statusCode ?? 0, requestId, body: text });
      });
    },
  );
  sent.on("error", reject);
  sent.end(body);
  return await promise;
}

/** A request that is found by its id. */
export async function askAs(socketPath: string, requestId: string, session?: string): Promise<void> {
  const headers = {
    [headerName.requestId]: requestId,
    ...(session === undefined ? {} : { [headerName.session]: encodeURIComponent(session) }),
  };
  const { status } = await sendRaw({ socketPath, path: "/v1/process.list", headers });
  expect(status).toBe(200);
}

export function entriesOfRequest(home: string, requestId: string): LoggedEntry[] {
  return loggedEntries(home).filter((entry) => entry["requestId"] === requestId);
}
