// The daemon as the command line starts it, stops it and tells of it.
import { chmodSync, existsSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { DaemonStatus } from "../../src/protocol/daemon.ts";
import type { ProcessView } from "../../src/protocol/process.ts";
import { openCliHome, type CliHome } from "../support/cli-home.ts";
import { cliProgram } from "../support/programs.ts";
import { readProcessStat } from "../../src/util/process-identity.ts";
import { isAlive } from "../support/process-facts.ts";

function statusOf(cli: CliHome): Promise<DaemonStatus> {
  return cli.json<DaemonStatus>(["daemon", "status", "--json"]);
}

function environmentOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/environ`, "utf8")
    .split("\0")
    .map((entry) => entry.split("=")[0] ?? "");
}

test("status tells of a home without a daemon, and starts none", async () => {
  const cli = openCliHome();
  expect(await statusOf(cli)).toMatchObject({
    state: "stopped",
    pid: null,
    version: expect.any(String) as string,
    home: cli.home,
  });
  expect(await cli.run(["ps", "-q", "--no-start"])).toMatchObject({ code: 0, stdout: "" });
  expect(existsSync(join(cli.home, "daemon.sock"))).toBe(false);
});

test("start, status, stop: each may be said twice, and processes outlive the daemon", async () => {
  const cli = openCliHome();
  const started = await cli.json<DaemonStatus>(["daemon", "start", "--json"]);
  expect(started).toMatchObject({ state: "running", home: cli.home, pid: expect.any(Number) as number });
  expect(await cli.json<DaemonStatus>(["daemon", "start", "--json"])).toMatchObject({ pid: started.pid });
  const id = await cli.background("--", "sleep", "60");
  expect(await cli.json(["daemon", "stop", "--json"])).toEqual({
    stopped: true,
    pid: started.pid,
    killed: false,
  });
  expect(isAlive(started.pid)).toBe(false);
  expect(await cli.json(["daemon", "stop", "--json"])).toEqual({
    stopped: false,
    pid: null,
    killed: false,
  });
  const [listed] = await cli.json<ProcessView[]>(["ps", "--json"]);
  expect(listed).toMatchObject({ id, state: "running" });
});

test("many commands at once on a home without a daemon: one daemon, and all succeed", async () => {
  const cli = openCliHome();
  const numbers = Array.from({ length: 8 }, (_, index) => index);
  const answers = await Promise.all(
    numbers.map((index) => cli.run(["run", "--", "sh", "-c", `echo ${index}; exit ${index}`])),
  );
  expect(answers.map(({ code, stdout, stderr }) => ({ code, stdout, stderr }))).toEqual(
    numbers.map((index) => ({ code: index, stdout: `${index}\n`, stderr: "" })),
  );
  expect(await cli.json<ProcessView[]>(["ps", "-a", "--json"])).toHaveLength(8);
  const log = readFileSync(join(cli.home, "daemon.log"), "utf8");
  expect(log.split("\n").filter((line) => line.includes('"msg":"ready"'))).toHaveLength(1);
});

test("the daemon has a session of its own, no terminal and nothing of its starter's", async () => {
  const cli = openCliHome();
  await cli.run(["daemon", "start"], {
    environment: {
      SECRET_TOKEN: "s",
      NODE_OPTIONS: "--no-warnings",
      HOLDFAST_SESSION: "s",
      HOLDFAST_LOG_LEVEL: "debug",
    },
    cwd: cli.home,
  });
  const { pid } = await statusOf(cli);
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  expect(stat[3]).toBe(String(pid)); // its own session
  expect(readlinkSync(`/proc/${pid}/cwd`)).toBe("/");
  expect(readlinkSync(`/proc/${pid}/fd/0`)).toBe("/dev/null");
  const names = environmentOf(pid);
  expect(names).toEqual(expect.arrayContaining(["HOME", "PATH", "HOLDFAST_HOME", "HOLDFAST_LOG_LEVEL"]));
  for (const name of ["SECRET_TOKEN", "NODE_OPTIONS", "HOLDFAST_SESSION"]) expect(names).not.toContain(name);
});

test("started from inside a kept process it is outside its tree: stopping that leaves it alone", async () => {
  const [outer, inner] = [openCliHome(), openCliHome()];
  const script = `HOLDFAST_HOME=${inner.home} ${process.execPath} ${cliProgram} daemon start; echo started; exec sleep 60`;
  const id = await outer.background("--", "sh", "-c", script);
  await outer.run(["wait", id, "--for", "log:started"]);
  const { pid } = await statusOf(inner);
  const startedAt = readProcessStat(pid)?.startTime;
  expect(environmentOf(pid)).not.toContain("HOLDFAST_RUN");
  expect(await outer.run(["stop", id, "--grace", "0"])).toMatchObject({ code: 0 });
  expect(await statusOf(inner)).toMatchObject({ state: "running", pid });
  expect(readProcessStat(pid)?.startTime).toBe(startedAt);
});

test("daemon run is the daemon itself, in the foreground", async () => {
  const cli = openCliHome();
  const running = cli.start(["daemon", "run"]);
  await running.shows("ready\n");
  expect(await statusOf(cli)).toMatchObject({ pid: running.child.pid });
  running.child.kill("SIGINT");
  expect(await running.answer).toMatchObject({ code: 0 });
});

test("a configuration it cannot use is told with its place, and nothing is started", async () => {
  const cli = openCliHome();
  writeFileSync(join(cli.home, "holdfast.yaml"), "stop:\n  graceMs: soon\n");
  const answer = await cli.run(["run", "--", "true"]);
  expect(answer).toMatchObject({ code: 2, stdout: "" });
  expect(answer.stderr).toMatch(/^holdfast: .*holdfast\.yaml:2.*stop\.graceMs.*\[CONFIG_INVALID\]\n.+\n/s);
  writeFileSync(join(cli.home, "holdfast.yaml"), "");
  expect(await cli.run(["run", "--", "true"])).toMatchObject({ code: 0 });
});

test("a home that cannot be one is told, with the next step", async () => {
  const cli = openCliHome();
  const file = join(cli.home, "file");
  writeFileSync(file, "");
  chmodSync(file, 0o600);
  const answer = await cli.run(["ps"], { environment: { HOLDFAST_HOME: join(file, "home") } });
  expect(answer).toMatchObject({ code: 2, stdout: "" });
  expect(answer.stderr).toMatch(/^holdfast: .* \[HOME_UNUSABLE\]\n.+\n$/);
});
