// What the daemon's files must hold to be believed. The schemas in protocol say the same, and a test holds the two together; by hand
// here because the command line reads these files, and a validator would cost it tens of milliseconds to load.
import type { DaemonRecord, RuntimeStatus } from "../protocol/daemon.ts";

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const daemonStates: readonly unknown[] = ["starting", "running", "degraded", "draining", "stopped", "failed"];
const supervisorKinds: readonly unknown[] = ["systemd", "launchd", "container", "none"];
const listenerStates: readonly unknown[] = ["listening", "failed", "closed"];
const endings: readonly unknown[] = ["left", "killed", "rebooted", "unknown"];
const utcTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";
const isInteger: Check = (value) => Number.isSafeInteger(value);
const isCount: Check = (value) => isInteger(value) && Number(value) >= 0;
const isTime: Check = (value) =>
  typeof value === "string" && utcTime.test(value) && !Number.isNaN(Date.parse(value));
const oneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const arrayOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

/** Other fields may be there too: of a newer release. */
function objectOf(checks: Readonly<Record<string, Check>>): Check {
  return (value) => isFields(value) && Object.entries(checks).every(([name, check]) => check(value[name]));
}

const identity = {
  pid: (value: unknown) => isCount(value) && value !== 0,
  startTime: isCount,
  bootId: isText,
  pidNamespace: isText,
};

const isRecord = objectOf({
  ...identity,
  argv: arrayOf(isText),
  home: isText,
  version: isText,
  isEmbedded: orAbsent(isFlag),
});

const isListener = objectOf({
  name: isText,
  address: isText,
  state: oneOf(listenerStates),
  errorCode: orNull(isText),
  message: orNull(isText),
  at: isTime,
});

const isPreviousEnd = objectOf({
  how: oneOf(endings),
  reason: orNull(isText),
  pid: isInteger,
  version: isText,
  startedAt: orNull(isTime),
  lastSeenAt: orNull(isTime),
});

const isStatus = objectOf({
  writer: objectOf(identity),
  version: isText,
  supervisor: objectOf({ kind: oneOf(supervisorKinds), name: orNull(isText) }),
  state: oneOf(daemonStates),
  exitReason: orNull(isText),
  restartRequested: isFlag,
  active: objectOf({ processes: isCount }),
  listeners: arrayOf(isListener),
  startedAt: isTime,
  updatedAt: isTime,
  previousEnd: orAbsent(orNull(isPreviousEnd)),
});

/** With fields that an older release did not write. */
type Stored<Shape, Newer extends keyof Shape> = Omit<Shape, Newer> & Partial<Pick<Shape, Newer>>;

export function parseRecord(value: unknown): DaemonRecord | undefined {
  if (!isRecord(value)) return undefined;
  return { isEmbedded: false, ...(value as Stored<DaemonRecord, "isEmbedded">) }; // every field was looked at
}

export function parseStatus(value: unknown): RuntimeStatus | undefined {
  if (!isStatus(value)) return undefined;
  return { previousEnd: null, ...(value as Stored<RuntimeStatus, "previousEnd">) }; // every field was looked at
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
