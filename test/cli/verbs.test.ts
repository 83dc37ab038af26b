// The verbs on processes that are there, as people and as programs see them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ProcessDetail, ProcessView, StartOutput } from "../../src/protocol/process.ts";
import type { WaitOutput } from "../../src/protocol/wait.ts";
import { openCliHome, sharedCliHome } from "../support/cli-home.ts";
import { connectedClient } from "../support/connected-client.ts";
import { newTestHome } from "../support/test-home.ts";

const shared = sharedCliHome();

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;

test("run -d --json and ps --json print objects with the documented fields", async () => {
  const cli = shared;
  const started = await cli.json<ProcessView>([
    "run",
    "-d",
    "--json",
    "--name",
    "web",
    "--label",
    "a=b",
    "--",
    "sh",
    "-c",
    "echo hi; exec sleep 60",
  ]);
  expect(started).toMatchObject({
    id: expect.stringMatching(/^p_/) as string,
    name: "web",
    state: "running",
    exit: null,
  });
  await cli.run(["wait", "web", "--for", "log:hi"]);
  const running = await cli.json<ProcessView[]>(["ps", "--json"]);
  expect(running).toHaveLength(1);
  expect(running[0]).toMatchObject({
    id: started.id,
    name: "web",
    command: "sh -c 'echo hi; exec sleep 60'",
    state: "running",
    exit: null,
    pid: expect.any(Number) as number,
    startedAt: time,
    endedAt: null,
    outputBytes: 3,
    labels: { a: "b" },
  });
  await cli.run(["stop", "web"]);
  expect(await cli.json(["ps", "--json"])).toEqual([]);
  const [ended] = await cli.json<ProcessView[]>(["ps", "-a", "--json"]);
  expect(ended).toMatchObject({
    state: "ended",
    exit: { kind: "signaled", signal: "SIGTERM" },
    endedAt: time,
  });
});

test("ps selects by state, label, session and task, and prints a table or only ids", async () => {
  const cli = openCliHome();
  const first = await cli.background("--label", "k=1", "--session", "s", "--", "sleep", "60");
  const second = await cli.background(
    "--label",
    "k=2",
    "--task",
    "t",
    "--lifetime",
    "detached",
    "--",
    "sleep",
    "61",
  );
  const ids = async (...args: string[]): Promise<string[]> => {
    return (await cli.run(["ps", "-q", ...args])).stdout.split("\n").filter((line) => line !== "");
  };
  expect(await ids()).toEqual([second, first]);
  expect(await ids("--label", "k=1")).toEqual([first]);
  expect(await ids("--session", "s")).toEqual([first]);
  expect(await ids("--task", "t")).toEqual([second]);
  expect(await ids("--state", "ended")).toEqual([]);
  const { stdout } = await cli.run(["list"]);
  expect(stdout).toMatch(/^ID +NAME +STATE +TIME +OUTPUT +COMMAND\n/);
  expect(stdout).toMatch(new RegExp(`^${second} +- +running .* sleep 61$`, "m"));
  expect(stdout).not.toContain("\u001b");
});

test("what a process says about itself cannot reach the terminal through ps and show", async () => {
  const cli = shared;
  const id = await cli.background("--", "sh", "-c", "printf '\\033]0;evil\\007done'; : '\u001b[2J\u202e'");
  await cli.run(["wait", id]);
  for (const args of [
    ["ps", "-a"],
    ["ps", "-a", "-l"],
    ["show", id],
  ]) {
    const { stdout } = await cli.run(args);
    // eslint-disable-next-line no-control-regex -- that none is there is what is tested
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(stdout).toContain("\\e[2J\\u202e");
  }
});

test("tree shows the processes of one, indented below their parent", async () => {
  const cli = shared;
  const id = await cli.background("--", "sh", "-c", "sleep 1001 & sleep 1002");
  await expect
    .poll(async () => (await cli.run(["tree", id])).stdout)
    .toMatch(/^PID .*COMMAND *\n\d+ .*sh -c .*\n(?:\d+ .* {3}sleep 100[12] *\n){2}$/);
  const tree = await cli.json<{ processes: unknown[] }>(["tree", id, "--json"]);
  expect(tree.processes).toHaveLength(3);
  await cli.run(["stop", id, "--grace", "0"]);
  expect(await cli.run(["tree", id])).toMatchObject({ code: 0, stdout: "" });
});

test("show tells everything, by id, prefix or name", async () => {
  const cli = shared;
  const id = await cli.background("--name", "n", "-i", "--", "cat");
  for (const reference of [id, id.slice(0, 8), id.slice(2, 8), "n"]) {
    const detail = await cli.json<ProcessDetail>(["show", reference, "--json"]);
    expect(detail).toMatchObject({ id, stdin: "open", processes: 1, mode: "pipe" });
  }
  expect((await cli.run(["show", id])).stdout).toMatch(/^name +n$/m);
});

test("logs: from the end, from an offset, one stream, with times, raw, as JSON lines", async () => {
  const cli = shared;
  const script =
    "printf '\\033[31mred\\033[0m\\n'; read go; echo err >&2; read go; printf '1%%\\r2%%\\nlast\\n'";
  const id = await cli.background("-i", "--", "sh", "-c", script);
  // Two streams have no order but that in which they are read: each has been, before the next is written.
  for (const text of ["red", "err"]) {
    await cli.run(["wait", id, "--for", `log:${text}`]);
    await cli.run(["send", id, "go", "--enter"]);
  }
  await cli.run(["wait", id]);
  const logs = async (...args: string[]): Promise<string> => (await cli.run(["logs", id, ...args])).stdout;
  expect(await logs()).toBe("red\nerr\n2%\nlast\n");
  expect(await logs("--tail", "2")).toBe("2%\nlast\n");
  expect(await logs("--since-offset", "17")).toBe("2%\nlast\n");
  expect(await logs("--stream", "stderr")).toBe("err\n");
  expect(await logs("--raw")).toBe("\u001b[31mred\u001b[0m\nerr\n1%\r2%\nlast\n");
  expect(await logs("-t")).toMatch(/^(\d{4}-\S+Z \S+\n){4}$/);
  const lines = (await logs("--json"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(lines).toMatchObject([
    { kind: "data", offset: 0, stream: "stdout", at: time, text: "\u001b[31mred\u001b[0m\n" },
    { kind: "data", offset: 13, stream: "stderr", text: "err\n" },
    { kind: "data", offset: 17, stream: "stdout" },
    { kind: "end", next: 28 },
  ]);
});

test("logs -f shows lines as they come, a prompt too, and ends with the process", async () => {
  const cli = shared;
  const id = await cli.background(
    "-i",
    "--",
    "sh",
    "-c",
    "echo first; printf 'name? '; read name; echo hello $name",
  );
  const following = cli.start(["logs", "-f", id]);
  await following.shows("first\nname? ");
  await cli.run(["send", id, "Ada", "--enter"]);
  expect(await following.answer).toMatchObject({ code: 0, stdout: "first\nname? hello Ada\n" });
});

test("logs: no line goes on behind what was dropped, and none is shown of what is not kept", async () => {
  const cli = shared;
  await cli.background("--", "true"); // there is a daemon
  await using client = await connectedClient({ home: cli.home });
  for (const head of ["100", ""]) {
    const headBytes = head.length;
    const limits = { headBytes, tailBytes: 4096 };
    const { id } = await client.process.start({ command: "seq 100001 110000", cwd: "/", limits });
    await client.process.wait({ ids: [id] });
    const { stdout, stderr, code } = await cli.run(["logs", id]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      new RegExp(`^\\[\\d+ bytes are not there: offsets ${headBytes} to \\d+, dropped\\]`),
    );
    const lines = stdout.split("\n");
    expect(lines.slice(0, head === "" ? 0 : 1).join("")).toBe(head);
    expect(Math.max(...lines.map((line) => line.length))).toBe(6);
    expect(lines.slice(-2)).toEqual(["110000", ""]);
  }
});

test("wait: met, ended before, timeout; several, any or all", async () => {
  const cli = shared;
  const short = await cli.background("--", "sh", "-c", "echo ready; exit 3");
  const long = await cli.background("--", "sleep", "60");
  expect(await cli.run(["wait", short])).toMatchObject({ code: 0, stdout: `${short}  exited 3\n` });
  expect(await cli.run(["wait", short, "--for", "log:rea.y"])).toMatchObject({ code: 0 });
  const ended = await cli.run(["wait", short, "--for", "log:never"]);
  expect(ended).toMatchObject({ code: 6 });
  expect(ended.stderr).toContain("PROCESS_ENDED");
  const late = await cli.run(["wait", long, "--timeout", "200ms"]);
  expect(late).toMatchObject({ code: 8 });
  expect(late.stderr).toContain("WAIT_TIMEOUT");
  expect(await cli.run(["wait", "--any", long, short])).toMatchObject({ code: 0 });
  const { code, stdout } = await cli.run(["wait", long, short, "--timeout", "200ms", "--json"]);
  expect(code).toBe(8);
  const told = JSON.parse(stdout) as WaitOutput;
  expect(told.outcome).toBe("timeout");
  expect(told.results.map(({ id, outcome }) => [id, outcome])).toEqual([
    [long, "pending"],
    [short, "met"],
  ]);
});

test("wait without a timeout asks again for as long as it takes", async () => {
  const cli = shared;
  await cli.run(["config", "set", "wait.maxMs", "100"]);
  const id = await cli.background("-i", "--", "cat");
  const waiting = cli.start(["wait", id, "--json"]);
  const busy = async (): Promise<string> => (await cli.run(["daemon", "idle"])).stdout;
  await expect.poll(busy, { interval: 10 }).toContain("waits 1"); // unless it is just between two
  await cli.run(["wait", id, "--timeout", "1s"]); // ten of the daemon's rounds
  await cli.run(["send", id, "--eof"]);
  const answer = await waiting.answer;
  expect(answer.code).toBe(0);
  expect((JSON.parse(answer.stdout) as WaitOutput).waitedMs).toBeGreaterThan(500);
});

test("send types text, keys, what comes on standard input, and the end", async () => {
  const cli = shared;
  const id = await cli.background("-i", "--", "cat");
  await cli.run(["send", id, "one", "--enter"]);
  await cli.run(["send", id, "-"], { input: "two\n" });
  expect(await cli.json(["send", id, "three", "--enter", "--eof", "--json"])).toEqual({
    id,
    bytes: 6,
    next: 6,
  });
  await cli.run(["wait", id]);
  expect((await cli.run(["logs", id])).stdout).toBe("one\ntwo\nthree\n");
  const late = await cli.run(["send", id, "four"]);
  expect(late.code).toBe(6);
});

test("a secret is not typed where it would be seen", async () => {
  const cli = shared;
  const id = await cli.background("--pty", "--", "sh", "-c", "echo ready; read x");
  await cli.run(["wait", id, "--for", "log:ready"]);
  const refused = await cli.run(["send", id, "-", "--enter", "--secret"], { input: "hush\n" });
  expect(refused).toMatchObject({ code: 6 });
  expect(refused.stderr).toContain("ECHO_ON");
  expect((await cli.run(["logs", id])).stdout).not.toContain("hush");
});

test("stop tells what really happened, process by process; one failure does not stop the rest", async () => {
  const cli = openCliHome();
  const polite = await cli.background("--", "sleep", "60");
  const stubborn = await cli.background(
    "--",
    "sh",
    "-c",
    "trap '' TERM; echo ready; while :; do sleep 0.05; done",
  );
  await cli.run(["wait", stubborn, "--for", "log:ready"]);
  const kept = await cli.run(["stop", stubborn, "--no-kill", "--grace", "200ms"]);
  expect(kept).toMatchObject({ code: 6 });
  expect(kept.stdout).toContain("still runs");
  // Long enough for the polite one to get its turn.
  const answer = await cli.run(["stop", polite, "no-such", stubborn, "--grace", "5s"]);
  expect(answer.code).toBe(5);
  expect(answer.stdout).toContain(`${polite} ended`);
  expect(answer.stdout).toContain(`${stubborn} had to be killed`);
  expect(answer.stderr).toContain("PROCESS_NOT_FOUND");
  expect(await cli.json(["stop", polite, "--json"])).toMatchObject({
    results: [{ id: polite, outcome: "already_ended" }],
    stopped: 0,
  });
  await cli.background("--label", "a=1", "--", "sleep", "60");
  await cli.background("--label", "a=2", "--", "sleep", "60");
  expect(await cli.json(["stop", "--label", "a=1", "--json"])).toMatchObject({ stopped: 1 });
  expect(await cli.json(["kill", "--all", "--json"])).toMatchObject({ stopped: 1 });
});

test("signal, rename, resize, close-stdin, active, rm", async () => {
  const cli = shared;
  const id = await cli.background(
    "-i",
    "--name",
    "old",
    "--session",
    "s",
    "--",
    "sh",
    "-c",
    "trap 'echo got' USR1; while read x; do :; done",
  );
  expect(await cli.json(["signal", id, "CONT", "--json"])).toEqual({ id, signal: "SIGCONT", reached: 1 });
  expect(await cli.json(["rename", "old", "new", "--json"])).toMatchObject({ id, name: "new" });
  expect(await cli.json(["rename", "new", "--clear", "--json"])).toMatchObject({ id, name: null });
  expect(await cli.run(["active", "--session", "s", "--json"])).toMatchObject({ code: 0 });
  expect(await cli.run(["active", "--session", "other"])).toMatchObject({ code: 1, stdout: "no\n" });
  expect(await cli.run(["resize", id, "80", "24"])).toMatchObject({ code: 2 });
  expect(await cli.run(["rm", id])).toMatchObject({ code: 6 });
  expect(await cli.json(["close-stdin", id, "--json"])).toMatchObject({ id });
  await cli.run(["wait", id]);
  expect(await cli.json(["rm", id, "--json"])).toEqual({ results: [{ id, removed: true }] });
  expect(await cli.run(["show", id])).toMatchObject({ code: 5 });
});

test("an interrupted session returns its waits", async () => {
  const cli = shared;
  const id = await cli.background("--", "sleep", "60");
  const waiting = cli.start(["wait", id, "--json"], { environment: { HOLDFAST_SESSION: "s" } });
  const interrupted = async (): Promise<number> => {
    return (await cli.json<{ interrupted: number }>(["interrupt", "s", "--json"])).interrupted;
  };
  await expect.poll(interrupted, { timeout: 20_000, interval: 100 }).toBe(1);
  expect(await waiting.answer).toMatchObject({ code: 8 });
});

test("gc, doctor and config answer people and programs", async () => {
  const cli = shared;
  expect(await cli.json(["gc", "--dry-run", "--json"])).toEqual({
    removed: [],
    outputRemoved: [],
    freedBytes: 0,
  });
  const doctor = await cli.run(["doctor"]);
  expect(doctor).toMatchObject({ code: 0 });
  expect(doctor.stdout).toMatch(/^ok +store: /m);
  expect(await cli.run(["config", "set", "stop.graceMs", "1234"])).toMatchObject({ code: 0 });
  expect(await cli.run(["config", "get", "stop.graceMs"])).toMatchObject({ code: 0, stdout: "1234\n" });
  expect(await cli.json(["config", "explain", "stop.graceMs", "--json"])).toMatchObject({
    value: 1234,
    source: "home",
  });
  expect((await cli.run(["config", "list"])).stdout).toMatch(/^stop\.graceMs +1234 +home /m);
  expect(await cli.run(["config", "check"])).toMatchObject({ code: 0 });
  expect(await cli.run(["config", "set", "stop.graceMs", "--unset"])).toMatchObject({ code: 0 });
});

test("a project's file decides about what is started in it; one that is not all right is not used, and told", async () => {
  const cwd = newTestHome();
  const file = join(cwd, "holdfast.yaml");
  const run = ["run", "-d", "--json", "--", "sleep", "60"];
  writeFileSync(file, "stop:\n  graceMs: 4321\nterminal: {columns: 99}\n");
  expect(await shared.json(["config", "explain", "stop.graceMs", "--json"], { cwd })).toMatchObject({
    value: 4321,
    source: "project",
    place: `${file}:2`,
  });
  expect(await shared.run(["config", "get", "stop.graceMs"])).toMatchObject({ stdout: "2000\n" });
  const started = await shared.json<ProcessView>(run, { cwd });
  expect(started.limits).toEqual({ graceMs: 4321 });
  const terminal = await shared.json<ProcessView>(["run", "-d", "--pty", "--json", "--", "sleep", "60"], {
    cwd,
  });
  expect(await shared.json(["show", terminal.id, "--json"])).toMatchObject({ columns: 99, rows: 24 });
  writeFileSync(file, "stop:\n  graceMs: 4321\nprocesses: {maxRunning: 1}\n");
  const problem = `${file}:3`;
  const check = await shared.run(["config", "check"], { cwd });
  expect(check).toMatchObject({ code: 2 });
  expect(check.stdout).toContain(`${problem} processes.maxRunning: a project cannot set this key`);
  const explain = await shared.run(["config", "explain", "stop.graceMs"], { cwd });
  expect(explain).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) as string });
  const plain = await shared.json<StartOutput>(run, { cwd });
  expect(plain.limits).toEqual({});
  expect(plain.notes).toContainEqual(expect.stringContaining(problem));
});
