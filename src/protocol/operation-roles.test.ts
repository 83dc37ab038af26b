// Who may do what by the network, verb by verb, as literals: a role changes here on purpose or not at all.
import { expect, test } from "vitest";
import { hasRole, roles } from "./access.ts";
import { operationNames, operations } from "./operations.ts";

test("a role has what the roles before it have", () => {
  const table = roles.map((role) => roles.map((least) => hasRole(role, least)));
  expect(table).toEqual([
    [true, false, false],
    [true, true, false],
    [true, true, true],
  ]);
});

test("every verb has the least role it needs", () => {
  const byRole = Object.fromEntries(
    roles.map((role) => [role, operationNames.filter((name) => operations[name].role === role).toSorted()]),
  );
  expect(byRole).toEqual({
    viewer: [
      "approval.list",
      "barrier.get",
      // Keys that may hold a secret are for admins: test/access/roles.test.ts.
      "config.get",
      "cursor.get",
      "daemon.idle",
      "daemon.status",
      "delegation.list",
      "job.get",
      "job.list",
      "job.result",
      "lock.list",
      "notifications.dead",
      "notifications.get",
      "notifications.list",
      "policy.check",
      "policy.list",
      "process.active",
      "process.get",
      "process.list",
      "process.output",
      "process.screen",
      "process.search",
      "process.tree",
      "process.wait",
      "session.get",
      "session.list",
      "terminal.list",
      "view.list",
      "watch.hits",
      "watch.list",
    ],
    operator: [
      "approval.answer",
      "barrier.clear",
      "barrier.set",
      "cursor.set",
      "delegation.cancel",
      "delegation.finish",
      "delegation.progress",
      "delegation.start",
      "doctor",
      "gc",
      "job.run",
      "lock.acquire",
      "lock.release",
      "notifications.acknowledge",
      "notifications.claim",
      "notifications.release",
      "notifications.replay",
      "policy.restore",
      "process.close-stdin",
      "process.remove",
      "process.rename",
      "process.resize",
      "process.share",
      "process.signal",
      "process.start",
      "process.stop",
      "process.write",
      "session.attend",
      "session.busy",
      "session.end",
      "session.idle",
      "session.interrupt",
      "terminal.open",
      "view.close",
      "watch.add",
      "watch.remove",
    ],
    admin: [
      "audit.list",
      "config.check",
      "config.explain",
      "config.list",
      "config.set",
      "daemon.stop",
      "dashboard.open",
      "policy.lift",
      "token.create",
      "token.list",
      "token.revoke",
    ],
  });
});
