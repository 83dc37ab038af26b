import { expect, test } from "vitest";
import { detectSupervisor, type SupervisorFacts } from "./supervisor.ts";

const bare: SupervisorFacts = {
  environment: {},
  pid: 500,
  parentPid: 400,
  platform: "linux",
  cgroup: "0::/user.slice/user-1000.slice/session-3.scope\n",
  parentName: "bash",
  hasFile: () => false,
};

function detect(facts: Partial<SupervisorFacts>): ReturnType<typeof detectSupervisor> {
  const known = { ...bare, ...facts };
  return detectSupervisor(known.environment, known);
}

const userService = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/holdfast.service\n";

test("a daemon that somebody started by hand has none", () => {
  expect(detect({})).toEqual({ kind: "none", name: null });
});

test("systemd names the process it started, and the cgroup names the unit", () => {
  const environment = { INVOCATION_ID: "f00", SYSTEMD_EXEC_PID: "500" };
  expect(detect({ environment, cgroup: userService, parentName: "systemd" })).toEqual({
    kind: "systemd",
    name: "holdfast.service",
  });
});

test("a shell below a service passes the variables on: what it starts is not the service", () => {
  const environment = { INVOCATION_ID: "f00", SYSTEMD_EXEC_PID: "499" };
  const cgroup = "0::/system.slice/cron.service\n";
  expect(detect({ environment, cgroup })).toMatchObject({ kind: "none" });
  // Also when that shell has ended and the manager took the orphan in.
  expect(detect({ environment, cgroup, parentPid: 1, parentName: "systemd" })).toMatchObject({
    kind: "none",
  });
});

test("a manager that is too old to name the process is the parent", () => {
  const environment = { INVOCATION_ID: "f00" };
  expect(detect({ environment, cgroup: userService, parentName: "systemd" })).toMatchObject({
    kind: "systemd",
    name: "holdfast.service",
  });
  expect(detect({ environment, cgroup: userService })).toMatchObject({ kind: "none" });
});

test("launchd is the parent and names the job; an application on the desktop is not", () => {
  const mac = { platform: "darwin", parentPid: 1, cgroup: "" } as const;
  expect(detect({ ...mac, environment: { XPC_SERVICE_NAME: "dev.holdfast.daemon" } })).toEqual({
    kind: "launchd",
    name: "dev.holdfast.daemon",
  });
  for (const name of ["0", "application.com.apple.Terminal.1"]) {
    expect(detect({ ...mac, environment: { XPC_SERVICE_NAME: name } })).toMatchObject({ kind: "none" });
  }
});

test("a container stands and falls with its first process, or the one below a little init", () => {
  const docker = (path: string): boolean => path === "/.dockerenv";
  expect(detect({ pid: 1, parentPid: 0, hasFile: docker })).toEqual({ kind: "container", name: "docker" });
  expect(detect({ pid: 7, parentPid: 1, hasFile: docker })).toEqual({ kind: "container", name: "docker" });
  expect(detect({ pid: 1, parentPid: 0, environment: { container: "podman" } })).toMatchObject({
    name: "podman",
  });
  const environment = { KUBERNETES_SERVICE_HOST: "10.0.0.1" };
  expect(detect({ pid: 1, parentPid: 0, environment })).toMatchObject({ name: "kubernetes" });
  // Started by hand in a container that goes on without it.
  expect(detect({ hasFile: docker })).toMatchObject({ kind: "none" });
});
