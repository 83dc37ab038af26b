// A process for tests of what only looks at its fields.
import type { ListedProcess } from "#protocol/control.ts";

export function testProcess(id: string, more: Partial<ListedProcess> = {}): ListedProcess {
  return {
    id,
    name: null,
    command: "make test",
    argv: ["make", "test"],
    cwd: "/srv/app",
    endCwd: null,
    mode: "pipe",
    state: "running",
    exit: null,
    stopReason: "none",
    stopBy: null,
    pid: 1,
    owner: { profile: "default" },
    labels: {},
    lifetime: "detached",
    kind: "process",
    notify: "off",
    limits: {},
    confined: false,
    createdAt: "2026-01-01T00:00:00.000Z",
    startedAt: "2026-01-01T00:00:01.000Z",
    endedAt: null,
    uptimeMs: 0,
    outputBytes: 0,
    droppedBytes: 0,
    outputRemoved: false,
    usage: null,
    ...more,
  };
}
