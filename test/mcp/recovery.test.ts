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
  expect((await after.call("process", { action: "poll", id })).facts).toMatchObject({ state: "running" });
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

interface Cursor {
  readonly offset: number;
  readonly screen: readonly string[] | null;
}

/** Resolves when the daemon knows what was told of a process. */
async function untilKept(home: CliHome, id: string, isKept: (cursor: Cursor) => boolean): Promise<void> {
  const [session] = await home.json<{ session: string }[]>(["sessions", "--json"]);
  const get = ["cursor", "get", id, "--session", session?.session ?? "", "--json"];
  await expect.poll(async () => isKept(await home.json<Cursor>(get)), { timeout: 20_000 }).toBe(true);
}

test("after both were killed a poll goes on where the last one was, and a screen tells what has changed", async () => {
  const home = openCliHome();
  const before = await openAgent(home);
  const plain = idOf(
    await before.call("terminal", { command: "echo told; while read l; do echo $l; done", background: true }),
  );
  const told = { length: "told\n".length };
  await untilTold(before, { action: "poll", id: plain }, ({ facts }) => facts["cursor"] === told.length);
  const draw = "printf '\\033[2J\\033[Hone\\r\\ntwo'; read x; printf '\\033[2;1HTWO'; read y";
  const drawn = idOf(await before.call("terminal", { command: draw, pty: true, background: true }));
  await untilTold(before, { action: "screen", id: drawn }, ({ text }) => text.includes("  | two"));
  await untilKept(home, plain, ({ offset }) => offset === told.length);
  await untilKept(home, drawn, ({ screen }) => screen?.length === 2);
  await killNow(await daemonPid(home));
  await killNow(before.pid());
  const after = await openAgent(home);
  expect((await after.call("process", { action: "poll", id: plain })).facts).toMatchObject({
    output: "",
    from: told.length,
  });
  const typed = await after.call("process", { action: "submit", id: plain, data: "new" });
  expect(typed.facts["output"]).toBe("  | new");
  expect((await after.call("process", { action: "screen", id: drawn })).facts["changedLines"]).toEqual([]);
  await after.call("process", { action: "submit", id: drawn, data: "" });
  const changed = await untilTold(after, { action: "screen", id: drawn }, ({ text }) =>
    text.includes("  | TWO"),
  );
  expect(changed.text).toContain("Changed since your last look: line 2.");
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
