// `holdfast run` in the foreground stands for the process: its output, its input, its signals, its exit code.
import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ProcessView } from "../../src/protocol/process.ts";
import { sharedCliHome } from "../support/cli-home.ts";
import { cliProgram, programCommand } from "../support/programs.ts";

const shared = sharedCliHome();

test("passes on output, apart by stream, and the exit code; starts the daemon by itself", async () => {
  const cli = shared;
  const answer = await cli.run(["run", "--", "sh", "-c", "echo out; echo err >&2; exit 3"]);
  expect(answer).toEqual({ code: 3, signal: null, stdout: "out\n", stderr: "err\n" });
});

test("a process that a signal ended gives 128 + its number", async () => {
  const cli = shared;
  expect(await cli.run(["run", "--", "sh", "-c", "kill -9 $$"])).toMatchObject({ code: 137 });
  expect(await cli.run(["run", "--", "sh", "-c", "kill -PIPE $$"])).toMatchObject({ code: 141 });
});

test("what cannot be executed gives 127 or 126, with a reason and the next step", async () => {
  const cli = shared;
  const missing = await cli.run(["run", "--", "no-such-program"]);
  expect(missing).toMatchObject({ code: 127, stdout: "" });
  expect(missing.stderr).toMatch(/^holdfast: no-such-program: .*\n.+\n$/);
  const file = join(cli.home, "plain-file");
  writeFileSync(file, "");
  chmodSync(file, 0o600);
  expect(await cli.run(["run", "--", file])).toMatchObject({ code: 126 });
  expect(await cli.run(["run", "--cwd", "/no/such/place", "--", "true"])).toMatchObject({ code: 126 });
  expect(await cli.run(["run", "-d", "--", "no-such-program"])).toMatchObject({ code: 127, stdout: "" });
});

test("words are executed as they are; one with a space in it is run by a shell", async () => {
  const cli = shared;
  const echoed = await cli.run(["run", "--", "printf", "%s|", "a b", "$HOME", "-x", "--json"]);
  expect(echoed).toMatchObject({ code: 0, stdout: "a b|$HOME|-x|--json|" });
  expect(await cli.run(["run", "echo one; exit 4"])).toMatchObject({ code: 4, stdout: "one\n" });
  const program = join(cli.home, "a program");
  writeFileSync(program, "#!/bin/sh\necho mine\n", { mode: 0o755 });
  expect(await cli.run(["run", program])).toMatchObject({ code: 0, stdout: "mine\n" });
});

test("standard input is passed on, byte for byte, and closed at its end", async () => {
  const cli = shared;
  const input = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 251));
  const answer = await cli.run(["run", "--", "sh", "-c", "cksum; exit 5"], { input });
  const direct = await cli.run(["run", "--", "cksum"], { input });
  expect(answer).toMatchObject({ code: 5 });
  expect(answer.stdout).toMatch(/ 300000\n$/);
  expect(direct.stdout).toBe(answer.stdout);
});

test("all output arrives, however fast the process ends", async () => {
  const cli = shared;
  const answer = await cli.run(["run", "--", "seq", "1", "200000"]);
  expect(answer.stdout.length).toBe(1_288_895);
  expect(answer.stdout.endsWith("\n200000\n")).toBe(true);
});

test("does not wait for a descendant that holds the output open", async () => {
  const cli = shared;
  // Longer than any test may take: whoever waited for it would not come back.
  const answer = await cli.run(["run", "--", "sh", "-c", "sleep 1000 & echo started"]);
  expect(answer).toMatchObject({ code: 0, stdout: "started\n" });
  const [listed] = await cli.json<ProcessView[]>(["ps", "-a", "--json"]);
  await cli.run(["stop", listed?.id ?? ""]);
});

test("--timeout is a limit of the process itself, and its end says so", async () => {
  const cli = shared;
  const answer = await cli.run(["run", "--timeout", "300ms", "--", "sleep", "60"]);
  expect(answer).toMatchObject({ code: 143, stdout: "" });
  expect(answer.stderr).toMatch(/was stopped after 0\.3s \(--timeout\)/);
});

const passedOn = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const;

test.for(passedOn)("%s is passed on to the tree", async (name) => {
  const cli = shared;
  const short = name.slice(3);
  const script = `trap 'echo got ${short}; exit 7' ${short}; echo ready; while :; do sleep 0.05; done`;
  const running = cli.start(["run", "--", "sh", "-c", script]);
  await running.shows("ready");
  running.child.kill(name);
  const answer = await running.answer;
  expect(answer).toMatchObject({ code: 7, stdout: `ready\ngot ${short}\n` });
  expect(answer.stderr).not.toContain("Debugger");
});

test("what is no UTF-8 is refused as an argument and left out of the environment, and both are told", () => {
  const cli = shared;
  // Only a shell can give such bytes: Node passes text.
  const through = (script: string): SpawnSyncReturns<string> => {
    const words = ["-c", script, "sh", ...programCommand(cliProgram)];
    return spawnSync("sh", words, { env: cli.environment, encoding: "utf8" });
  };
  const argument = through(`exec "$@" run -- echo "$(printf 'a\\377')"`);
  expect(argument).toMatchObject({ status: 2, stdout: "" });
  expect(argument.stderr).toContain("One of the arguments is no UTF-8");
  const kept = through(`exec "$@" run -- echo 'a\u{FFFD}é'`);
  expect(kept).toMatchObject({ status: 0, stdout: "a\u{FFFD}é\n" });
  const variable = through(
    `LEGACY="$(printf 'b\\377')" WHOLE='\u{FFFD}' exec "$@" run -- sh -c 'echo "\${LEGACY-none} $WHOLE"'`,
  );
  expect(variable).toMatchObject({ status: 0, stdout: "none \u{FFFD}\n" });
  expect(variable.stderr).toContain("not passed on, because it is no UTF-8: LEGACY");
});

test("a signal that nobody handles ends the process, and the code says which", async () => {
  const cli = shared;
  const running = cli.start(["run", "--", "sh", "-c", "echo ready; exec sleep 60"]);
  await running.shows("ready");
  running.child.kill("SIGINT");
  expect(await running.answer).toMatchObject({ code: 130 });
});

test("kill -9 of the command line leaves the process alone", async () => {
  const cli = shared;
  const running = cli.start(["run", "--name", "stays", "--", "sh", "-c", "echo ready; exec sleep 60"]);
  await running.shows("ready");
  running.child.kill("SIGKILL");
  await running.answer;
  expect(await cli.json<ProcessView>(["show", "stays", "--json"])).toMatchObject({ state: "running" });
});

test("when nobody reads the output any more the process gets SIGPIPE, as from a shell", async () => {
  const cli = shared;
  const running = cli.start(["run", "--name", "loud", "--", "yes"]);
  await running.shows("y\n");
  running.child.stdout?.destroy();
  await expect.poll(() => running.child.exitCode, { timeout: 20_000 }).toBe(141);
  await cli.run(["wait", "loud"]); // it hears of the signal when the command line is gone
  const [loud] = await cli.json<ProcessView[]>(["ps", "-a", "--json"]);
  expect(loud).toMatchObject({ name: "loud", exit: { kind: "signaled", signal: "SIGPIPE" } });
});

test("the daemon may be killed meanwhile: output goes on, the code is the true one", async () => {
  const cli = shared;
  const script = "i=0; while [ $i -lt 40 ]; do echo line $i; i=$((i+1)); sleep 0.05; done; exit 9";
  const running = cli.start(["run", "--", "sh", "-c", script]);
  await running.shows("line 5\n");
  const { pid } = await cli.json<{ pid: number }>(["daemon", "status", "--json"]);
  process.kill(pid, "SIGKILL");
  const answer = await running.answer;
  expect(answer).toMatchObject({ code: 9, stderr: "" });
  expect(answer.stdout).toBe(Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join(""));
});

test("the process has the caller's environment, directory, umask and owner", async () => {
  const cli = shared;
  const script = 'echo "$OWN $ADDED [$GONE] $(pwd) $(umask) [$NODE_OPTIONS]"';
  const answer = await cli.run(
    ["run", "--env", "ADDED=two words", "--unset-env", "GONE", "--", "sh", "-c", script],
    {
      environment: { OWN: "one", GONE: "x", HOLDFAST_SESSION: "s 1", HOLDFAST_TASK: "t1" },
      cwd: cli.home,
    },
  );
  expect(answer.stdout).toBe(
    `one two words [] ${cli.home} ${process.umask().toString(8).padStart(4, "0")} []\n`,
  );
  const [listed] = await cli.json<ProcessView[]>(["ps", "-a", "--json"]);
  expect(listed?.owner).toMatchObject({ session: "s 1", task: "t1" });
  const clear = await cli.run(["run", "--clear-env", "--env", "A=b", "--", "/usr/bin/env"]);
  expect(clear.stdout).toContain("A=b\n");
  expect(clear.stdout).not.toContain("HOME=");
});

test("--json prints the process after its end instead of its output", async () => {
  const cli = shared;
  const answer = await cli.run(["run", "--json", "--", "sh", "-c", "echo hidden; exit 2"]);
  expect(answer.code).toBe(2);
  expect(JSON.parse(answer.stdout)).toMatchObject({
    command: "sh -c 'echo hidden; exit 2'",
    state: "ended",
    exit: { kind: "exited", code: 2 },
    outputBytes: 7,
  });
});
