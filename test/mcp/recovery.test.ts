// kill -9 of the daemon, of the MCP server, and of both: nothing is lost, and the same client in the same project is the same session.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCliHome, type CliHome } from "../support/cli-home.ts";
import { idOf, openAgent, untilTold } from "../support/mcp-client.ts";
import { killNow } from "../support/process-facts.ts";

async function daemonPid(home: CliHome): Promise<number> {
  const { pid } = await home.json<{ pid: number }>(["daemon", "status", "--json"]);
  return pid;
}

test("after both were killed the next server finds processes, output and notices", async () => {
  const home = openCliHome();
  const before = await openAgent(home);
  const started = await before.call("terminal", {
    command: "echo before; read line; echo got $line",
    background: true,
  });
  const id = idOf(started);
  const gate = join(home.home, "gate");
  const short = await before.call("terminal", {
    command: `until [ -e '${gate}' ]; do sleep 0.05; done; echo done; exit 4`,
    background: true,
    name: "short",
  });
  await killNow(await daemonPid(home));
  await killNow(before.pid());
  // It ends while nobody is there to hear it.
  writeFileSync(gate, "");
  const after = await openAgent(home, { era: "modern" });
  const listed = await untilTold(after, { action: "list" }, ({ text }) => text.includes("short: exit 4"));
  expect(listed.text).toContain(id);
  const poll = await after.call("process", { action: "poll", id });
  expect(poll.facts).toMatchObject({ state: "running" });
  expect(poll.text).toContain("  | before");
  const typed = await after.call("process", { action: "submit", id, data: "hello" });
  expect(typed.text).toContain("got hello");
  const told = await after.call("notifications");
  expect(told.text).toContain(idOf(short));
  expect(told.text).toContain("done");
  expect(
    (
      await openAgent(home, { name: "another-agent" }).then((other) =>
        other.call("process", { action: "list" }),
      )
    ).text,
  ).toBe("No processes.");
});

test("a daemon that is killed while a command is waited for is started again, and the wait goes on", async () => {
  const home = openCliHome();
  const agent = await openAgent(home);
  const gate = join(home.home, "gate");
  await agent.call("terminal", { command: "true" });
  const pid = await daemonPid(home);
  const waiting = agent.call("terminal", {
    command: `echo $$ > '${gate}.pid'; until [ -e '${gate}' ]; do sleep 0.05; done; echo survived`,
  });
  await untilTold(
    agent,
    { action: "list" },
    ({ text }) => text.includes("survived") && text.includes("running"),
  );
  await killNow(pid);
  writeFileSync(gate, "");
  const told = await waiting;
  expect(told.facts).toMatchObject({ state: "ended", exitCode: 0 });
  expect(told.text).toContain("  | survived");
  expect(await daemonPid(home)).not.toBe(pid);
  const listed = await agent.call("process", { action: "list" });
  expect(listed.text.match(/survived/g), "run once").toHaveLength(1);
});
