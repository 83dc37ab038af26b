// What doctor says about the place of a home and its unit, on real mounts and by a real daemon.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { OperationOutput } from "../../src/protocol/operations.ts";
import { bodyOf, markerText } from "../../src/supervision/marker.ts";
import { mountOf } from "../../src/supervision/mounts.ts";
import { openCliHome, type CliHome } from "../support/cli-home.ts";
import { canMount, mountSmallDisk, remount } from "../support/small-disk.ts";
import { newTestHome } from "../support/test-home.ts";

type Check = OperationOutput<"doctor">["checks"][number];

async function examine(
  cli: CliHome,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; checks: Record<string, Check> }> {
  const answer = await cli.run(["doctor", "--json"], { environment });
  expect(answer.stderr).toBe("");
  const { checks } = JSON.parse(answer.stdout) as { checks: Check[] };
  return { code: answer.code, checks: Object.fromEntries(checks.map((check) => [check.name, check])) };
}

test.runIf(canMount)(
  "a home on a file system that runs no programs is told although no daemon can start there",
  async () => {
    const disk = mountSmallDisk("64m");
    remount(disk, "noexec");
    const home = join(disk, "home");
    const { code, checks } = await examine(openCliHome(home));
    expect(code).toBe(1);
    expect(checks["daemon"]).toMatchObject({ result: "problem" });
    expect(checks["executables"]).toEqual({
      name: "executables",
      result: "problem",
      message: `${disk} is mounted noexec: the keeper in ${home}/bin cannot run, so nothing can be started.`,
      hint: `Mount ${disk} without noexec, or set HOLDFAST_HOME to a directory where programs may run.`,
    });
    expect(checks["file-system"]).toMatchObject({
      result: "ok",
      message: `${home} is on tmpfs, mounted at ${disk}.`,
    });

    // Of two mounts at one place the upper one counts.
    execFileSync("mount", ["-t", "tmpfs", "-o", "mode=0700", "holdfast-test", disk]);
    onTestFinished(() => void execFileSync("umount", ["--lazy", disk]));
    expect(mountOf(home)?.options).not.toContain("noexec");
  },
);

test("a configuration with which no daemon starts is told with the rest", async () => {
  const cli = openCliHome();
  writeFileSync(join(cli.home, "holdfast.yaml"), "stop:\n  graceMs: soon\n");
  const { code, checks } = await examine(cli);
  expect(code).toBe(1);
  expect(checks["daemon"]).toMatchObject({
    result: "problem",
    message: expect.stringContaining("stop.graceMs") as string,
  });
  expect(checks).toMatchObject({ executables: { result: "ok" }, unit: { result: "ok" } });
});

test("the daemon notices that its unit is outdated, and whether its user lingers", async () => {
  const cli = openCliHome();
  const directory = newTestHome();
  const environment = { XDG_CONFIG_HOME: directory, XDG_RUNTIME_DIR: join(directory, "none") };
  const installed = await cli.run(["daemon", "install", "--force", "--json"], { environment });
  const { file } = JSON.parse(installed.stdout) as { file: string };
  const fresh = await examine(cli, environment);
  expect(fresh.code).toBe(0);
  expect(fresh.checks).toMatchObject({
    unit: { result: "ok", message: `${file} is up to date.` },
    supervised: { result: "ok" }, // nobody here can tell whose the daemon is
    linger: { result: existsSync(`/var/lib/systemd/linger/${userInfo().username}`) ? "ok" : "warning" },
  });

  const body = bodyOf(readFileSync(file, "utf8")).replace("KillMode=process", "KillMode=mixed");
  writeFileSync(file, `# ${markerText({ version: "0.0.9", home: cli.home, body })}\n${body}`);
  const { code, checks } = await examine(cli, environment);
  expect(code).toBe(0); // a warning is no problem
  expect(checks["unit"]).toMatchObject({
    result: "warning",
    message: expect.stringMatching(/is outdated: 0\.0\.9 wrote it.*: KillMode\.$/) as string,
    hint: "holdfast daemon install --now",
  });
});
