// A process record for tests of the store and of what stands on it.
import { newProcessId } from "../../src/protocol/ids.ts";
import { startInputSchema } from "../../src/protocol/process.ts";
import { withoutEnvironmentValues, type ProcessRecord } from "../../src/store/index.ts";

/** A running `sleep 60` with the given fields. */
export function sampleRecord(fields: Partial<ProcessRecord> = {}): ProcessRecord {
  const labels = fields.labels ?? {};
  return {
    id: newProcessId(),
    name: null,
    state: "running",
    command: "sleep 60",
    argv: ["sh", "-c", "sleep 60"],
    cwd: "/tmp",
    mode: "pipe",
    spec: withoutEnvironmentValues(startInputSchema.parse({ command: "sleep 60", labels })),
    session: null,
    task: null,
    profile: "default",
    origin: null,
    labels,
    lifetime: "detached",
    idempotencyKey: null,
    pid: 4711,
    childStart: 123_456,
    createdAt: 1_760_000_000_000,
    startedAt: 1_760_000_000_004,
    endedAt: null,
    exit: null,
    stopRequester: null,
    outputBytes: 0,
    outputRemoved: false,
    kind: "process",
    notify: "off",
    endCwd: null,
    ...fields,
  };
}
