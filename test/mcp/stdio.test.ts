// The official client over stdio, in both eras: tools, errors, resources, and what a wait that is given up does to a process.
import { expect, test } from "vitest";
import { openCliHome } from "../support/cli-home.ts";
import { eras, openAgent } from "../support/mcp-client.ts";

test.each(eras)("%s: a command is run; its exit code, output and directory are told", async (era) => {
  const agent = await openAgent(openCliHome(), { era });
  const { tools } = await agent.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["terminal", "process", "notifications"]);
  const told = await agent.call("terminal", {
    command: "echo out; echo err >&2; pwd; exit 3",
    workdir: "/tmp",
  });
  expect(told.text).toMatch(/^exit 3 after .*, in \/tmp; p_/);
  expect(told.text).toContain("  | out\n  | err\n  | /tmp");
  expect(told.facts).toMatchObject({ exitCode: 3, workdir: "/tmp", state: "ended" });
});
