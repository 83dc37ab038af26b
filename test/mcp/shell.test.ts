// The tool `terminal` runs in the shell of its session: where the last command ended, with what it exported, whatever was killed.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCliHome } from "../support/cli-home.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { idOf, openAgent, openHttpAgent, untilTold } from "../support/mcp-client.ts";
import { killNow } from "../support/process-facts.ts";
import { testDirectory } from "../support/test-home.ts";

function newDirectory(): string {
  return mkdtempSync(join(testDirectory(), "d-"));
}

test("directory and exports go from call to call, in the foreground, in the background and in a terminal, and no further than the session", async () => {
  const home = openCliHome();
  const project = newDirectory();
  const agent = await openAgent(home, { cwd: project });
  const moved = await agent.call("terminal", { command: "pwd; mkdir sub; cd sub; export A='x y'; b=local" });
  expect(moved.text).toContain(`  | ${project}`);
  expect(moved.facts).toMatchObject({ exitCode: 0, workdir: `${project}/sub` });
  expect(moved.text).toMatch(new RegExp(`^exit 0 after \\d+ ms, in ${project}/sub; p_`));
  const look = 'pwd; echo "[$A] [$b]"';
  const seen = `  | ${project}/sub\n  | [x y] []`;
  expect((await agent.call("terminal", { command: look })).facts["output"]).toBe(seen);
  const background = await agent.call("terminal", { command: look, background: true });
  const ended = await untilTold(
    agent,
    { action: "wait", id: idOf(background) },
    ({ facts }) => facts["state"] === "ended",
  );
  expect(ended.facts).toMatchObject({ workdir: `${project}/sub` });
  expect((await agent.call("process", { action: "log", id: idOf(background) })).facts["output"]).toBe(seen);
  const typed = await agent.call("terminal", { command: `${look}; cd ..; export A=pty`, pty: true });
  expect(typed.facts).toMatchObject({ workdir: project, output: seen });
  expect((await agent.call("terminal", { command: "echo $A; exit 3" })).facts).toMatchObject({
    workdir: project,
    exitCode: 3,
    output: "  | pty",
  });
  const other = await openAgent(home, { cwd: project, name: "another-agent" });
  expect((await other.call("terminal", { command: 'pwd; echo "[$A]"' })).facts["output"]).toBe(
    `  | ${project}\n  | []`,
  );
  // The session is known by its client and project: who comes back after both were killed is where it was.
  const { pid } = await home.json<{ pid: number }>(["daemon", "status", "--json"]);
  await agent.call("terminal", { command: "cd sub" });
  await killNow(pid);
  await killNow(agent.pid());
  const again = await openAgent(home, { cwd: project, era: "modern" });
  expect((await again.call("terminal", { command: 'pwd; echo "$A"' })).facts["output"]).toBe(
    `  | ${project}/sub\n  | pty`,
  );
});

test("a workdir is for one command and must be there; a remembered one that is gone becomes what is left of it, and the answer says so", async () => {
  const agent = await openAgent(openCliHome());
  const base = newDirectory();
  mkdirSync(join(base, "a/b"), { recursive: true });
  await agent.call("terminal", { command: `cd '${base}/a/b'` });
  expect((await agent.call("terminal", { command: "pwd", workdir: "/usr" })).facts).toMatchObject({
    output: "  | /usr",
    workdir: "/usr",
  });
  expect((await agent.call("terminal", { command: "pwd" })).facts["output"]).toBe(`  | ${base}/a/b`);
  const missing = await agent.call("terminal", { command: "touch ran", workdir: `${base}/none` });
  expect(missing).toMatchObject({ isError: true });
  expect(missing.text).toContain(`Give a workdir that exists: ${base}/none cannot be entered.`);
  expect((await agent.call("terminal", { command: "pwd", workdir: "relative" })).text).toContain(
    "not an absolute path",
  );
  rmSync(join(base, "a"), { recursive: true });
  const gone = await agent.call("terminal", { command: "pwd; ls" });
  expect(gone.facts).toMatchObject({ exitCode: 0, workdir: base, output: `  | ${base}` });
  const remark = `The session's working directory ${base}/a/b is gone; the command runs in ${base}.`;
  expect(gone.text).toContain(remark);
  expect(gone.facts["notes"]).toContain(remark);
  mkdirSync(join(base, "a/b"), { recursive: true });
  expect((await agent.call("terminal", { command: "pwd" })).facts).not.toHaveProperty("notes");
  rmSync(join(base, "a"), { recursive: true });
  expect((await agent.call("terminal", { command: "pwd" })).text).toContain(remark);
});

test("calls at the same time are safe: each sees a whole state, and the last that ends counts", async () => {
  const agent = await openAgent(openCliHome());
  await agent.call("terminal", { command: "cd /; export A=0 B=0" });
  const numbers = Array.from({ length: 8 }, (_, index) => index + 1);
  const told = await Promise.all(
    numbers.map((n) =>
      agent.call("terminal", { command: `echo "$A $B"; export A=${n}; sleep 0.0${n}; export B=${n}` }),
    ),
  );
  for (const { facts } of told) {
    const [, a, b] = /^ {2}\| (\d) (\d)$/.exec(String(facts["output"])) ?? [];
    expect(a, String(facts["output"])).toBe(b);
  }
  const after = await agent.call("terminal", { command: 'echo "$A $B"' });
  expect(after.facts["output"]).toMatch(/^ {2}\| ([1-8]) \1$/);
});

test("what breaks a shell breaks no session; words of a list are no shell's", async () => {
  const agent = await openAgent(openCliHome());
  await agent.call("terminal", { command: "cd /usr; export A=kept" });
  for (const command of ["exit 4", "kill -9 $$", "if then )", "set -e; false", "exec true"])
    await agent.call("terminal", { command });
  const slow = await agent.call("terminal", { command: "export A=lost; sleep 60", timeout: 0.5 });
  await agent.call("process", { action: "kill", id: idOf(slow), force: true });
  const after = await agent.call("terminal", { command: ["echo", "$A", "a b", "it's", "*"] });
  expect(after.facts).toMatchObject({ workdir: "/usr", output: "  | $A a b it's *" });
  expect((await agent.call("terminal", { command: "echo $A" })).facts["output"]).toBe("  | kept");
});

test("over HTTP too", async () => {
  const agent = await openHttpAgent(await openDaemonHome(), { era: "modern" });
  await agent.call("terminal", { command: "cd /usr; export A=http" });
  expect((await agent.call("terminal", { command: "pwd; echo $A" })).facts["output"]).toBe(
    "  | /usr\n  | http",
  );
});
