// What a session's shell remembers survives kills, never mixes, and is on no disk.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ask, refused } from "../support/daemon-calls.ts";
import { filesHolding } from "../support/files-holding.ts";
import { openShellHome } from "../support/shell-session.ts";
import { newTestHome } from "../support/test-home.ts";

const bash = "/bin/bash";

test("kill -9 of the daemon: what was remembered is there, and what ends while there is none is remembered too", async () => {
  const { run, start, daemon } = await openShellHome();
  await run(bash, "s", "export A=1; cd /usr");
  const gate = join(newTestHome(), "gate");
  execFileSync("mkfifo", [gate]);
  const { id } = await start(bash, "s", `read -r line <${gate}; export B=$line; cd lib`);
  await daemon.kill();
  execFileSync("sh", ["-c", `echo two >${gate}`]);
  // Its pid is gone a moment before its keeper has written how it ended.
  await expect.poll(() => existsSync(join(daemon.home, "runs", id, "exit"))).toBe(true);
  await daemon.start();
  const { output, process } = await run(bash, "s", 'pwd; echo "$A $B"');
  expect(output).toBe("/usr/lib\n1 two\n");
  expect(process.cwd).toBe("/usr/lib");
  await daemon.kill();
  await daemon.start();
  expect((await run(bash, "s", 'echo "$A $B"')).output).toBe("1 two\n");
});

test("of commands at once the last that ends counts, as a whole; one that changes nothing takes nothing away", async () => {
  const { run, start, daemon } = await openShellHome();
  const directory = newTestHome();
  await run(bash, "s", `cd ${directory}`);
  const names = Array.from({ length: 6 }, (_, at) => `d${at}`);
  const many = names.map((name) => {
    mkdirSync(join(directory, name));
    const variables = Array.from({ length: 40 }, (_, at) => `V${at}=${name}`).join(" ");
    return start(bash, "s", `cd ${join(directory, name)}; export ${variables}`);
  });
  const started = await Promise.all(many);
  await ask(daemon, "process.wait", { ids: started.map(({ id }) => id), mode: "all" });
  const ended = await Promise.all(started.map(({ id }) => ask(daemon, "process.get", { id })));
  const { output } = await run(bash, "s", "basename $PWD; env | sed -n 's/^V[0-9]*=//p' | sort | uniq -c");
  const [winner = ""] = output.split("\n");
  expect(output.replaceAll(/ +/g, " ")).toBe(`${winner}\n 40 ${winner}\n`);
  const last = Math.max(...ended.map(({ endedAt }) => Date.parse(endedAt ?? "")));
  const winners = ended.filter(({ endedAt }) => Date.parse(endedAt ?? "") === last);
  expect(winners.map(({ endCwd }) => endCwd)).toContain(join(directory, winner));

  const gate = join(directory, "gate");
  execFileSync("mkfifo", [gate]);
  const waiting = await start(bash, "s", `read -r line <${gate}`);
  await run(bash, "s", "export KEPT=1");
  execFileSync("sh", ["-c", `echo >${gate}`]);
  await ask(daemon, "process.wait", { ids: [waiting.id] });
  expect((await run(bash, "s", "echo $KEPT")).output).toBe("1\n");
});

test("a directory that is named and missing is an error; a remembered one that is gone becomes the nearest one above it", async () => {
  const { run, daemon } = await openShellHome();
  const directory = newTestHome();
  mkdirSync(join(directory, "a/b/c"), { recursive: true });
  symlinkSync(join(directory, "a"), join(directory, "link"));
  await run(bash, "s", `cd ${directory}/link/b/c`);
  expect((await run(bash, "s", "pwd")).output).toBe(`${directory}/link/b/c\n`);
  const missing = await run(bash, "s", "true", { cwd: join(directory, "none") });
  expect(missing.process.exit).toMatchObject({ kind: "spawn_failed", stage: "cwd" });
  expect((await run(bash, "s", "pwd", { cwd: "/usr" })).output).toBe("/usr\n");
  expect((await run(bash, "s", "pwd")).output).toBe(`${directory}/link/b/c\n`);
  rmSync(join(directory, "a/b"), { recursive: true });
  const moved = await run(bash, "s", "pwd");
  expect(moved.output).toBe(`${directory}/link\n`);
  expect(moved.notes.join("\n")).toContain(
    `${directory}/link/b/c is gone; the command runs in ${directory}/link.`,
  );
  expect((await run(bash, "new", "pwd", { shell: { session: "new", firstCwd: "/usr" } })).output).toBe(
    "/usr\n",
  );
  const list = { command: ["true"], shell: { session: "s" } };
  expect((await refused(daemon, "process.start", list)).code).toBe("INVALID_ARGUMENT");
});

test("secrets: what is withheld stays so, what is passed once is not kept, what a command exports is its session's and on no disk", async () => {
  const { run, daemon, userHome, memory } = await openShellHome();
  const caller = { PATH: "/usr/bin:/bin:/usr/games", HOME: userHome, SHELL: bash, GH_TOKEN: "of-the-caller" };
  const show = 'echo "${GH_TOKEN-none} ${DB_PASSWORD-none}"';
  expect((await run(bash, "s", show, { environment: { caller } })).output).toBe("none none\n");
  const passed = await run(bash, "s", show, { environment: { caller, pass: ["GH_TOKEN"] } });
  expect(passed.output).toBe("of-the-caller none\n");
  expect((await run(bash, "s", show, { environment: { caller } })).output).toBe("none none\n");
  await run(bash, "s", "export DB_PASSWORD=$(printf 'hunter%s' 22222)", { environment: { caller } });
  expect((await run(bash, "s", '[ "$DB_PASSWORD" = "$(printf hunter%s 22222)" ] && echo same')).output).toBe(
    "same\n",
  );
  expect((await run(bash, "other", show, { environment: { caller } })).output).toBe("none none\n");
  const session = await ask(daemon, "session.get", { session: "s" });
  expect(session.shell?.set).toContain("DB_PASSWORD");
  expect(JSON.stringify(session)).not.toContain("hunter");
  expect(filesHolding(daemon.home, "hunter22222")).toBe("");
  expect(filesHolding(memory, "hunter22222").trim().split("\n")).toEqual([
    expect.stringContaining("/sessions/") as string,
  ]);
});

test("memory that was cleared, variables that are too large, a shell that is not known: told, and nothing breaks", async () => {
  const { run, memory } = await openShellHome();
  await run(bash, "s", "cd /usr; export A=1");
  await run(bash, "s", "export BIG=$(head -c 200000 /dev/zero | tr '\\0' x)");
  const after = await run(bash, "s", 'echo "$A" ${#BIG}');
  expect(after.output).toBe("1 0\n");
  expect(after.notes.join("\n")).toContain("too large");
  rmSync(memory, { recursive: true });
  mkdirSync(memory, { mode: 0o700 });
  const lost = await run(bash, "s", 'pwd; echo "${A-unset}"');
  expect(lost.output).toBe("/usr\nunset\n");
  expect(lost.notes.join("\n")).toContain("were lost with the memory");
  const ksh = join(newTestHome(), "ksh");
  symlinkSync("/bin/bash", ksh);
  const plain = await run(ksh, "k", "cd /usr; echo hi");
  expect(plain).toMatchObject({ output: "hi\n", code: 0 });
  expect(plain.notes.join("\n")).toContain(`${ksh} is none of bash, zsh, sh, dash`);
});
