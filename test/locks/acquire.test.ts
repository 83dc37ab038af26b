// `holdfast lock acquire` as a person, a script and an agent use it: no daemon is there, and none is started.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockDirectory } from "../../src/locks/index.ts";
import type { LockAcquired, LockList, LockView } from "../../src/protocol/locks.ts";
import { openCliHome, type CliHome } from "../support/cli-home.ts";
import { filesHolding } from "../support/files-holding.ts";
import { LineProcess } from "../support/line-process.ts";
import { newLockDirectory, startSleeper } from "../support/lock-owners.ts";
import { newTestHome } from "../support/test-home.ts";

async function locksOf(cli: CliHome, scope: string): Promise<LockView[]> {
  return (await cli.json<LockList>(["lock", "list", scope, "--json"])).locks;
}

function errorOf(stderr: string): {
  code: string;
  message: string;
  hint: string;
  details: { lock: LockView };
} {
  const { error } = JSON.parse(stderr) as { error: ReturnType<typeof errorOf> }; // --json
  return error;
}

test("the owner is the one that runs the command, and no daemon is started", async () => {
  const cli = openCliHome();
  const { outcome, lock } = await cli.json<LockAcquired>(["lock", "acquire", "s", "token", "--json"]);
  expect(outcome).toBe("acquired");
  expect(lock).toMatchObject({
    scope: "s",
    state: "running",
    stale: false,
    meta: {},
    owner: { pid: process.pid },
  });
  expect(lock.path.startsWith(`${lockDirectory()}/s-`)).toBe(true);
  expect(existsSync(join(cli.home, "daemon.sock"))).toBe(false);
  expect(readdirSync(cli.home)).toEqual([]);
});

test("run by bin/holdfast on another Node than its own, the owner is still the one that runs it", async () => {
  const preload = join(newTestHome(), "pretend.cjs");
  writeFileSync(
    preload,
    'process.execPath = "/old/node"; Object.defineProperty(process, "versions", { value: { node: "20.0.0" } });',
  );
  const program = join(import.meta.dirname, "../../bin/holdfast");
  const wrapped = new LineProcess(
    [process.execPath, "-r", preload, program, "lock", "acquire", "wrapped", "token", "--json"],
    { environment: { HOLDFAST_LOCK_DIR: newLockDirectory() } },
  );
  const acquired = JSON.parse((await wrapped.next()) ?? "{}") as LockAcquired; // --json
  expect(acquired.lock.owner?.pid).toBe(process.pid);
});

test("a second time updates the meta and says so; without meta what was said stays", async () => {
  const cli = openCliHome();
  const acquire = (...args: string[]) => cli.run(["lock", "acquire", "again", "token", ...args]);
  expect(await acquire("--meta", "agent=a", "--meta", "for=b=c")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^acquired: process \d+ \(.+\) has again\n$/) as string,
  });
  const [first] = await locksOf(cli, "again");
  expect(first?.meta).toEqual({ agent: "a", for: "b=c" });
  expect(await acquire("--meta", "agent=c")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^updated: process \d+ \(.+\) already has again\n$/) as string,
  });
  await acquire();
  const [last, ...others] = await locksOf(cli, "again");
  expect(others).toEqual([]);
  expect(last).toMatchObject({ meta: { agent: "c" }, acquiredAt: first?.acquiredAt });
  expect(Date.parse(last?.updatedAt ?? "")).toBeGreaterThan(Date.parse(last?.acquiredAt ?? ""));
});

test("a refusal is a conflict with the owner's record, across homes; another scope is another lock", async () => {
  const cli = openCliHome();
  const sleeper = startSleeper();
  const pid = String(sleeper.pid);
  await cli.json(["lock", "acquire", "refused", "token", "--pid", pid, "--meta", "why=mine", "--json"]);
  const refused = await openCliHome().run(["lock", "acquire", "refused", "token", "--json"]);
  expect(refused).toMatchObject({ code: 6, stdout: "" });
  expect(errorOf(refused.stderr)).toMatchObject({
    code: "LOCK_HELD",
    details: {
      lock: { scope: "refused", meta: { why: "mine" }, owner: { pid: sleeper.pid, command: "cat" } },
    },
  });
  const inWords = await cli.run(["lock", "acquire", "refused", "token"]);
  expect(inWords.stderr).toMatch(
    /^holdfast: the lock refused is held by process \d+ \("cat"\) since \S+ \[LOCK_HELD\]\nWait for it \(--wait 10s\), or let its owner release it\.\n$/,
  );
  expect(await cli.run(["lock", "acquire", "refused2", "token"])).toMatchObject({ code: 0 });
  expect(await cli.run(["lock", "acquire", "refused", "token2"])).toMatchObject({ code: 0 });
});

test("the identity is nowhere but in the caller's hands: given as argument, by standard input, by a variable", async () => {
  const cli = openCliHome();
  const secret = "ghp_very-secret-Token\u00e9";
  const owner = startSleeper();
  const pid = ["--pid", String(owner.pid)];
  expect(await cli.run(["lock", "acquire", "hidden", secret, ...pid])).toMatchObject({ code: 0 });
  const answers = [
    await cli.run(["lock", "acquire", "hidden", "-"], { input: `${secret}\n` }),
    await cli.run(["lock", "acquire", "hidden", "-", "--json"], { input: secret }),
    await cli.run(["lock", "acquire", "hidden", "--identity-env", "MY_TOKEN"], {
      environment: { MY_TOKEN: secret },
    }),
    await cli.run(["lock", "release", "hidden", secret]),
  ];
  expect(answers.map(({ code }) => code)).toEqual([6, 6, 6, 6]);
  expect(answers.map(({ stdout, stderr }) => stdout + stderr).join("")).not.toContain("very-secret");
  expect(filesHolding(lockDirectory(), "very-secret")).toBe("");
});

test("what is wrong with a command line is told without repeating what may be a secret", async () => {
  const cli = openCliHome();
  for (const args of [
    ["lock", "acquire", "s", "-secret"],
    ["lock", "acquire", "s", "--secret"],
    ["lock", "acquire", "secret!", "s"],
    ["lock", "acquire", "s", "secret", "secret"],
    ["lock", "run", "s", "-secret", "--", "true"],
    ["lock", "release", "s", "-secret"],
  ]) {
    const answer = await cli.run(args);
    expect(answer, args.join(" ")).toMatchObject({ code: 2, stdout: "" });
    expect(answer.stderr).not.toContain("secret");
    expect(answer.stderr).toMatch(/^holdfast: .+ \[INVALID_ARGUMENT\]\n.+\n$/);
  }
  expect(await cli.run(["lock", "acquire", "dashed", "--", "-secret"])).toMatchObject({ code: 0 });
});

test("hostile meta and identities are kept whole and never shown raw", async () => {
  const cli = openCliHome();
  const evil = "\u001b[2J\u009b31m\u202etxt\n\u0007";
  const acquired = await cli.run(["lock", "acquire", "evil", evil, "--meta", `note=${evil}`, "--json"]);
  expect((JSON.parse(acquired.stdout) as LockAcquired).lock.meta).toEqual({ note: evil });
  const listed = await cli.run(["lock", "list", "evil"]);
  expect(listed.stdout).toContain("note=\\e[2J\\x9b31m\\u202etxt\\n\\x07");
  const inJson = await cli.run(["lock", "list", "evil", "--json"]);
  const refused = await cli.run(["lock", "acquire", "evil", evil, "--pid", "1", "--json"]);
  for (const { stdout, stderr } of [acquired, listed, inJson, refused]) {
    expect(stdout.replaceAll("\n", "") + stderr.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
  }
  const tooMuch = await cli.run(["lock", "acquire", "evil", "x", "--meta", `k=${"v".repeat(1_025)}`]);
  expect(tooMuch).toMatchObject({ code: 2 });
  const tooMany = Array.from({ length: 33 }, (_, index) => ["--meta", `k${index}=v`]).flat();
  expect(await cli.run(["lock", "acquire", "evil", "x", ...tooMany])).toMatchObject({ code: 2 });
});

test("directory and files are for their user alone", async () => {
  const cli = openCliHome();
  const { lock } = await cli.json<LockAcquired>(["lock", "acquire", "modes", "token", "--json"]);
  await cli.json(["lock", "acquire", "modes", "token", "--meta", "a=b", "--json"]);
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  expect([modeOf(lockDirectory()), modeOf(lock.path)]).toEqual([0o700, 0o700]);
  const files = readdirSync(lock.path).map((name) => join(lock.path, name));
  expect(files).toHaveLength(2);
  expect(files.map(modeOf)).toEqual([0o600, 0o600]);
  expect(files.map((file) => readFileSync(file, "utf8")).join("")).toContain(`"pid":${process.pid}`);
});

test("a directory that others may write to is refused", async () => {
  const cli = openCliHome();
  const environment = { HOLDFAST_LOCK_DIR: "/tmp" };
  const refused = await cli.run(["lock", "acquire", "s", "i"], { environment });
  expect(refused).toMatchObject({ code: 4, stdout: "" });
  expect(refused.stderr).toContain("[LOCK_DIRECTORY_UNSAFE]");
});
