import { expect, test } from "vitest";
import { HoldfastError } from "../protocol/errors.ts";
import type { Log, LogFields } from "../util/log.ts";
import { RequestLog, type RequestFacts } from "./request-log.ts";

interface Told {
  readonly level: string;
  readonly fields: LogFields;
  readonly message: string;
}

function newLog(isVerbose = true): { told: Told[]; requests: RequestLog } {
  const told: Told[] = [];
  const at =
    (level: string) =>
    (fields: LogFields, message: string): void =>
      void told.push({ level, fields, message });
  const log: Log = {
    isEnabled: () => isVerbose,
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    problems: [],
  };
  return { told, requests: new RequestLog(log) };
}

function facts(input: unknown = {}): RequestFacts {
  const caller = { requestId: "r_1", session: "s" };
  return { name: "process.get", caller, beganAtMs: performance.now(), input };
}

test("an answer is told with its request, verb, session, process and time, at debug only", () => {
  const { told, requests } = newLog();
  requests.answered(facts({ id: "web" }), { id: "p_bcdfghjkmnpq", command: "secret" });
  expect(told).toEqual([
    {
      level: "debug",
      message: "process.get answered",
      fields: {
        requestId: "r_1",
        verb: "process.get",
        session: "s",
        processId: "p_bcdfghjkmnpq",
        durationMs: expect.any(Number) as number,
      },
    },
  ]);
  const quiet = newLog(false);
  quiet.requests.answered(facts(), {});
  expect(quiet.told).toEqual([]);
});

const blame = {
  debug: ["INVALID_ARGUMENT", "PROCESS_NOT_FOUND", "WAIT_TIMEOUT", "DAEMON_STOPPING"],
  warn: ["STORE_FULL", "TOO_MANY_PROCESSES", "START_TIMEOUT"],
  error: ["INTERNAL", "RUN_DAMAGED"],
} as const;

test.each(Object.entries(blame))("who is to blame decides the level: %s", (level, codes) => {
  for (const code of codes) {
    const { told, requests } = newLog();
    requests.failed(facts(), new HoldfastError(code, "x"));
    expect(told, code).toMatchObject([{ level, fields: { code, requestId: "r_1" } }]);
  }
});

test("what a caller did wrong is told by its code alone, never in the words that quote it", () => {
  const { told, requests } = newLog();
  for (const code of blame.debug)
    requests.failed(facts({ id: "hunter2" }), new HoldfastError(code, "hunter2"));
  expect(told).toHaveLength(4);
  expect(JSON.stringify(told)).not.toContain("hunter2");
});

test("an error that passes through two layers is told once", () => {
  const { told, requests } = newLog();
  const error = new HoldfastError("INTERNAL", "x");
  requests.failed(facts(), error);
  requests.refused(error, "r_1");
  requests.refused(new HoldfastError("NOT_FOUND", "y"), "r_2");
  expect(told.map(({ message, fields }) => [message, fields["requestId"]])).toEqual([
    ["process.get failed", "r_1"],
    ["request refused", "r_2"],
  ]);
});

test("several processes are told as several, what does not look like an id not at all", () => {
  const { told, requests } = newLog();
  requests.answered(facts({ ids: ["p_bcdfghjkmnpq", "bcdf", "sk-secret", "password"] }), {});
  expect(told[0]?.fields).toMatchObject({ processIds: ["p_bcdfghjkmnpq", "bcdf"] });
  expect(told[0]?.fields).not.toHaveProperty("processId");
});
