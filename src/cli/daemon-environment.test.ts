import { expect, test } from "vitest";
import { daemonEnvironment } from "./daemon-environment.ts";

test("a daemon gets what every caller shares, and nothing that is one caller's own", () => {
  const shared = {
    HOME: "/h",
    PATH: "/bin",
    LC_ALL: "C",
    XDG_RUNTIME_DIR: "/r",
    HOLDFAST_LOG_LEVEL: "debug",
  };
  const own = {
    AWS_SECRET_ACCESS_KEY: "s",
    SSH_AUTH_SOCK: "/s",
    NODE_OPTIONS: "--inspect",
    VIRTUAL_ENV: "/v",
    LD_PRELOAD: "x.so",
    HOLDFAST_SESSION: "a",
    HOLDFAST_TASK: "b",
  };
  expect(daemonEnvironment({ ...shared, ...own })).toEqual(shared);
});

test("it learns who started it, so that it knows its supervisor", () => {
  const told = { INVOCATION_ID: "f00", SYSTEMD_EXEC_PID: "1", XPC_SERVICE_NAME: "0", container: "podman" };
  expect(daemonEnvironment({ ...told, JOURNAL_STREAM: "8:1" })).toEqual(told);
});

test("it learns which kept process it was started in, so that it can leave its tree", () => {
  expect(daemonEnvironment({ HOLDFAST_RUN: "/runs/p_1" })).toEqual({ HOLDFAST_RUN: "/runs/p_1" });
});
