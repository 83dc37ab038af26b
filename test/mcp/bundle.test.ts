// The MCP server as it is installed: a file of its own beside the command line, without sources and packages.
import { expect, test } from "vitest";
import { buildPackage } from "../support/built-package.ts";
import { openCliHome } from "../support/cli-home.ts";
import { openAgent, untilTold } from "../support/mcp-client.ts";
import { newTestHome } from "../support/test-home.ts";

test("an installed package serves the tools, draws screens and searches", async () => {
  const { cli, version } = buildPackage();
  const agent = await openAgent(openCliHome(newTestHome(), cli), { program: cli });
  expect(agent.client.getServerVersion()).toMatchObject({ name: "holdfast", version });
  await agent.call("terminal", { command: "seq 1 9 | less", pty: true, background: true, name: "pager" });
  const shown = await untilTold(agent, { action: "screen", id: "pager" }, ({ text }) =>
    text.includes("  | 9"),
  );
  expect(shown.facts).toMatchObject({ isAlternate: true });
  const found = await agent.call("process", { action: "search", id: "pager", pattern: "^7" });
  expect(found.text).toContain(" >| 7");
});
