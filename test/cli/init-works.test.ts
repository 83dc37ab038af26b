// What `holdfast init` writes is started as an agent would start it, by the official MCP client.
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { parse as parseJson } from "jsonc-parser";
import { expect, onTestFinished, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { agentFile, newAgentHome } from "../support/agent-files.ts";
import { openCliHome } from "../support/cli-home.ts";

interface Entry {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

/** From each format, by a reader of its own. */
const readers: Readonly<Record<string, (text: string) => Entry>> = {
  zed: (text) =>
    (parseJson(text, undefined, { allowTrailingComma: true }) as { context_servers: { holdfast: Entry } })
      .context_servers.holdfast,
  goose: (text) => {
    const { cmd, args, envs } = (parseYaml(text) as { extensions: { holdfast: Record<string, unknown> } })
      .extensions.holdfast;
    return { command: cmd, args, env: envs } as Entry; // as goose names them
  },
  codex: (text) => {
    const [, command = "", args = "", name = "", value = ""] =
      /^\[mcp_servers\.holdfast\]\ncommand = (".*")\nargs = (\[.*\])\nenv = \{ (\w+) = (".*") \}$/m.exec(
        text,
      ) ?? [];
    const parsed = JSON.parse(`[${command}, ${args}, ${value}]`) as [string, string[], string];
    return { command: parsed[0], args: parsed[1], env: { [name]: parsed[2] } };
  },
};

test("the entries start the server in the right home, for an editor that has no PATH of a shell", async () => {
  const names = Object.keys(readers);
  const [cli, home] = [openCliHome(), newAgentHome(names)];
  const answer = await cli.run(["init", "--yes"], { environment: { HOME: home, PATH: "/nonexistent" } });
  expect(answer, answer.stderr).toMatchObject({ code: 0 });
  for (const name of names) {
    const entry = readers[name]?.(readFileSync(agentFile(home, name), "utf8"));
    const env = { HOME: home, PATH: "/usr/bin:/bin", ...entry?.env };
    const transport = new StdioClientTransport({
      command: entry?.command ?? "",
      args: entry?.args ?? [],
      env,
      cwd: "/",
    });
    const client = new Client({ name, version: "1.0.0" });
    await client.connect(transport);
    onTestFinished(() => client.close());
    expect(client.getServerVersion()).toMatchObject({ name: "holdfast" });
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(["terminal", "process", "notifications"]);
    const said = `from the entry of ${name}`;
    const result = await client.callTool({ name: "terminal", arguments: { command: `echo ${said}` } });
    expect(JSON.stringify(result.content)).toContain(said);
    expect((await cli.run(["ps", "-a"])).stdout).toContain(said);
  }
});
