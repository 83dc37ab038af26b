import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ask, runToEnd } from "../support/daemon-calls.ts";
import { openDaemonHome, type DaemonHome } from "../support/daemon-home.ts";
import { newTestHome } from "../support/test-home.ts";

/** A daemon whose user has this login script. Its own PATH is bare, as under a service manager. */
async function daemonOfUser(
  profile: string,
  more: Record<string, string> = {},
): Promise<{ daemon: DaemonHome; userHome: string }> {
  const userHome = newTestHome();
  writeFileSync(join(userHome, ".profile"), profile);
  const environment = { HOME: userHome, SHELL: "/bin/sh", PATH: "/usr/bin:/bin", ...more };
  return { daemon: await openDaemonHome({ environment }), userHome };
}

async function variable(daemon: DaemonHome, name: string, environment = {}): Promise<string> {
  const id = await runToEnd(daemon, `printf %s "$${name}"`, { environment });
  return (await ask(daemon, "process.output", { id })).text ?? "";
}

test("a caller without an environment finds the tools of the login shell, and its start-up noise is nowhere", async () => {
  const profile =
    'echo "Welcome back!"; read -r nothing; export PATH="/opt/tools/bin:$PATH" MULTI="one\ntwo"';
  const { daemon } = await daemonOfUser(profile);
  expect(await variable(daemon, "PATH")).toMatch(/^\/opt\/tools\/bin:/);
  expect(await variable(daemon, "MULTI")).toBe("one\ntwo");
  const bare = { caller: { PATH: "/usr/bin:/bin", MINE: "1" } };
  expect(await variable(daemon, "PATH", bare)).toMatch(/^\/opt\/tools\/bin:/);
  expect(await variable(daemon, "MINE", bare)).toBe("1");
  const own = { caller: { PATH: "/mine/bin:/usr/bin:/bin" } };
  expect(await variable(daemon, "PATH", own)).toBe("/mine/bin:/usr/bin:/bin");
  expect(
    (await ask(daemon, "process.list", {})).processes.every((process) =>
      process.command.startsWith("printf"),
    ),
  ).toBe(true);
});

test("it is captured once, and again when a start-up file changes", async () => {
  const count = "count";
  const userHome = newTestHome();
  const profile = (value: string): string => `echo x >> "$HOME/${count}"; export GENERATION=${value}`;
  writeFileSync(join(userHome, ".profile"), profile("one"));
  const daemon = await openDaemonHome({ environment: { HOME: userHome, SHELL: "/bin/sh" } });
  const captures = async (): Promise<number> => {
    const { readFileSync } = await import("node:fs");
    return readFileSync(join(userHome, count), "utf8").length / 2;
  };
  for (let i = 0; i < 3; i++) expect(await variable(daemon, "GENERATION")).toBe("one");
  expect(await captures()).toBe(1);
  writeFileSync(join(userHome, ".profile"), `${profile("two")} # longer`);
  expect(await variable(daemon, "GENERATION")).toBe("two");
  expect(await captures()).toBe(2);
});

test("a login shell that hangs, with children of its own, is ended as a tree after its limit and costs a start no more than that", async () => {
  const marker = `hang-${process.pid}`;
  const { daemon } = await daemonOfUser(`sh -c ': ${marker}; sleep 1000' & sleep 1000`, {
    HOLDFAST_SHELL_CAPTURE_TIMEOUT_MS: "500",
  });
  expect(await variable(daemon, "HOME")).not.toBe("");
  const { execFileSync } = await import("node:child_process");
  const left = (): string =>
    execFileSync("sh", ["-c", `ps -eo args | grep '[:] ${marker}' || true`]).toString();
  await expect.poll(left).toBe("");
});
