import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseSpec, readSpec } from "./spec-file.ts";

const text = [
  "mode pty",
  "stdin empty",
  "cwd /a%0Ab",
  "cgroup auto",
  'note {"a":1}',
  "start_token abc-1",
  "contract 1.0",
  "id run_1",
  "arg sh",
  "arg -c",
  "arg exit%203",
  "env PATH",
  "env HOME",
  "child_pid 12",
  "child_start 345",
  "boot b-o-o-t",
  "pid_namespace 4026531836",
  "started_at 1800000000000",
  "started_boottime_us 5",
  "started_monotonic_us 4",
  "cgroup_path /sys/fs/cgroup/x",
  "launcher_pid 3",
  "of_the_future 1",
  "",
].join("\n");

test("a spec says what was asked for and who the child is", () => {
  expect(parseSpec(text)).toMatchObject({
    contract: "1.0",
    id: "run_1",
    argv: ["sh", "-c", "exit 3"],
    environmentNames: ["PATH", "HOME"],
    mode: "pty",
    stdin: "open",
    cwd: "/a\nb",
    columns: 80,
    rows: 24,
    childPid: 12,
    childStart: 345,
    bootId: "b-o-o-t",
    pidNamespace: 4026531836,
    startedAt: 1800000000000,
    launcherPid: 3,
    cgroup: "/sys/fs/cgroup/x",
    note: '{"a":1}',
    startToken: "abc-1",
  });
});

test("what every spec has must be there", () => {
  for (const key of ["contract", "id", "arg", "boot"]) {
    const without = text.split("\n").filter((line) => !line.startsWith(`${key} `));
    expect(parseSpec(without.join("\n"))).toBeUndefined();
  }
});

test("readSpec tells a missing run from a damaged one", async () => {
  const directory = mkdtempSync(join(homedir(), "spec-"));
  await expect(readSpec(join(directory, "none"))).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  mkdirSync(join(directory, "half"));
  writeFileSync(join(directory, "half", "spec"), "mode pty\n");
  await expect(readSpec(join(directory, "half"))).rejects.toMatchObject({ code: "RUN_DAMAGED" });
});
