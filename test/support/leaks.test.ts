import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findLiveProcesses, findOpenFiles, waitForNoLeaks } from "./leaks.ts";
import { newTestHome, testDirectory } from "./test-home.ts";

test("a running child is found as a descendant, and is gone after its end", async () => {
  const child = spawn("sleep", ["60"]);
  await once(child, "spawn");
  expect(findLiveProcesses(testDirectory())).toContainEqual(
    expect.objectContaining({ pid: child.pid, why: "descendant" }),
  );
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await waitForNoLeaks(testDirectory(), 20_000)).toEqual([]);
});

test("an orphan in a session of its own is found by the directory its environment names", async () => {
  const home = newTestHome();
  const shell = spawn("sh", ["-c", "setsid sleep 60 >/dev/null 2>&1 & echo $!"], {
    env: { PATH: process.env["PATH"], HOLDFAST_HOME: home },
  });
  const exited = once(shell, "exit");
  const [line] = (await once(shell.stdout, "data")) as [Buffer];
  await exited;
  const orphan = Number(line.toString());
  try {
    await expect
      .poll(() => findLiveProcesses(testDirectory()))
      .toContainEqual(expect.objectContaining({ pid: orphan, why: "names the test directory" }));
  } finally {
    process.kill(orphan, "SIGKILL");
  }
});

test("an open file in the test directory is found", () => {
  const path = join(newTestHome(), "file");
  const fd = openSync(path, "w");
  expect(findOpenFiles(testDirectory())).toEqual([path]);
  closeSync(fd);
  expect(findOpenFiles(testDirectory())).toEqual([]);
});
