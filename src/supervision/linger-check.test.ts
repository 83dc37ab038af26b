import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkLinger, isBelowUserManager } from "./linger-check.ts";

function rootWith(...users: readonly string[]): string {
  const root = mkdtempSync(join(process.env["HOME"] ?? "", "root-"));
  mkdirSync(join(root, "var/lib/systemd/linger"), { recursive: true });
  for (const user of users) writeFileSync(join(root, "var/lib/systemd/linger", user), "");
  return root;
}

test("a unit of a user who does not linger is told, with the command", () => {
  const question = { user: "agent", hasUserUnit: true, daemonPid: null };
  expect(checkLinger({ ...question, root: rootWith() })).toEqual({
    name: "linger",
    result: "warning",
    message: "agent does not linger: with the last logout the daemon and every kept process are killed.",
    hint: "loginctl enable-linger agent",
  });
  expect(checkLinger({ ...question, root: rootWith("agent") })).toMatchObject({ result: "ok" });
  expect(checkLinger({ ...question, root: rootWith("agent2") })).toMatchObject({ result: "warning" });
});

test("without a unit of the user's, and outside the user's manager, nothing depends on a login", () => {
  const question = { user: "agent", hasUserUnit: false, root: rootWith() };
  expect(checkLinger({ ...question, daemonPid: null })).toMatchObject({ result: "ok" });
  expect(checkLinger({ ...question, daemonPid: 2 ** 30 })).toMatchObject({ result: "ok" }); // gone: unknown is no reason to warn
});

test("a daemon started from a desktop lives in the user's manager; one of a login or a system unit does not", () => {
  const desktop = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-terminal-7.scope\n";
  expect(isBelowUserManager(desktop)).toBe(true);
  expect(isBelowUserManager("1:name=systemd:/user.slice/user-7.slice/user@7.service/h.service\n0::/\n")).toBe(
    true,
  );
  expect(isBelowUserManager("0::/user.slice/user-1000.slice/session-3.scope\n")).toBe(false);
  expect(isBelowUserManager("0::/system.slice/holdfast-agent.service\n")).toBe(false);
  expect(isBelowUserManager("")).toBe(false);
});
