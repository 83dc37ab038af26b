// Two agents on one daemon: neither reaches what is the other's, by any tool, resource or task, until it is shared.
import { expect, test } from "vitest";
import { processActions } from "../../src/mcp/tools/familiar-names.ts";
import { openCliHome } from "../support/cli-home.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { idOf, openAgent, openHttpAgent, type Agent } from "../support/mcp-client.ts";

const more: Readonly<Record<string, Record<string, unknown>>> = {
  write: { data: "x" },
  search: { pattern: "x" },
  signal: { signal: "TERM" },
  rename: { name: "mine-now" },
};

/** The actions that are refused with NOT_YOURS. */
async function refusedTo(agent: Agent, id: string): Promise<string[]> {
  const refused: string[] = [];
  for (const action of processActions.filter((one) => one !== "list")) {
    const told = await agent.call("process", { action, id, timeout: 0.1, ...more[action] });
    if (told.text.startsWith("NOT_YOURS: ")) refused.push(action);
  }
  return refused;
}

test("an id of another session gets nothing; a share to read gets looks, one to control the rest", async () => {
  const daemon = await openDaemonHome();
  const person = await connectedClient({ home: daemon.home });
  const open = (session: string): Promise<Agent> =>
    openHttpAgent(daemon, { era: "modern", headers: { "holdfast-session": session } });
  const [owner, other] = [await open("owner"), await open("other")];
  const id = idOf(
    await owner.call("terminal", {
      command: "echo mine; exec cat",
      pty: true,
      background: true,
      workdir: "/",
    }),
  );
  const looks = ["poll", "log", "wait", "screen", "search"];
  const acts = ["kill", "write", "submit", "close", "signal", "rename", "close_view"];
  expect(new Set(await refusedTo(other, id))).toEqual(new Set([...looks, ...acts]));
  const told = await other.call("process", { action: "poll", id });
  expect(told.text).toMatch(/^NOT_YOURS: p_\w+ is another session's.*\nWhat to do: .*holdfast share/);
  const output = `holdfast://process/${id}/output`;
  await expect(other.client.readResource({ uri: output })).rejects.toMatchObject({ code: -32_602 });
  const list = async (): Promise<string> => (await other.call("process", { action: "list", all: true })).text;
  expect(await list()).toBe("No processes.");
  await person.process.share({ id, session: "other" });
  expect(await list()).toContain(id);
  expect((await other.call("process", { action: "list" })).text).toBe("No processes.");
  const read = async (): Promise<unknown> => (await other.client.readResource({ uri: output })).contents[0];
  await expect.poll(read).toMatchObject({ text: "  | mine" });
  expect(new Set(await refusedTo(other, id))).toEqual(new Set(acts));
  await person.process.share({ id, session: "other", right: "control" });
  expect((await other.call("process", { action: "submit", id, data: "typed" })).text).toContain("  | typed");
  expect(await refusedTo(other, id)).toEqual([]);
  // Their own stay where they are: each sees what is new to itself.
  expect((await owner.call("process", { action: "log", id })).text).toContain("typed");
});

test("subscriptions of the older revision are refused too; a command acts for its session", async () => {
  const home = openCliHome();
  const owner = await openAgent(home, { args: ["--session", "owner"] });
  const other = await openAgent(home, { args: ["--session", "other"] });
  const id = idOf(await owner.call("terminal", { command: "sleep 60", background: true }));
  const uri = `holdfast://process/${id}`;
  await expect(other.client.subscribeResource({ uri })).rejects.toMatchObject({ code: -32_602 });
  await owner.client.subscribeResource({ uri });
  expect((await other.call("terminal", { command: "echo $HOLDFAST_SESSION" })).facts["output"]).toBe(
    "  | other",
  );
  const session = { environment: { HOLDFAST_SESSION: "other" } };
  const refused = await home.run(["stop", id], session);
  expect(refused.code).toBe(4);
  expect(refused.stderr).toContain("NOT_YOURS");
  expect(
    (await home.run(["share", id, "--session", "other", "--right", "control"], session)).stderr,
  ).toContain("NOT_YOURS");
  const shared = await home.run(["share", id, "--session", "other", "--right", "control"]);
  expect(shared.stdout).toBe(`${id}: control for other\n`);
  expect((await home.run(["show", id])).stdout).toContain("control for other");
  expect((await home.run(["stop", id], session)).code).toBe(0);
  expect((await home.run(["share", id, "--session", "other", "--right", "none"])).stdout).toBe(
    `${id}: shared with nobody\n`,
  );
});

test("who gives another session's key speaks for it", async () => {
  const agent = await openHttpAgent(await openDaemonHome(), { era: "modern" });
  const id = idOf(await agent.call("terminal", { command: "echo hi", workdir: "/", session: "helper" }));
  expect((await agent.call("process", { action: "log", id })).text).toContain("NOT_YOURS");
  expect((await agent.call("process", { action: "log", id, session: "helper" })).text).toContain("  | hi");
});
