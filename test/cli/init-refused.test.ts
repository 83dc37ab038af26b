// `holdfast init` where it must not change anything, or only what it was told to.
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import { expect, test } from "vitest";
import { entryName } from "../../src/agents/plan-change.ts";
import type { InitOutcome } from "../../src/cli/run-init.ts";
import { agentFile, agentFiles, agentSecret, newAgentHome } from "../support/agent-files.ts";
import { openCliHome, type CliAnswer } from "../support/cli-home.ts";
import { openCliTerminal, type CliTerminal } from "../support/cli-terminal.ts";
import { openKeeperHome } from "../support/keeper-home.ts";
import { testDirectory } from "../support/test-home.ts";

function initIn(home: string): (...args: readonly string[]) => Promise<CliAnswer> {
  const cli = openCliHome();
  return (...args) => cli.run(["init", ...args], { environment: { HOME: home, PATH: "/nonexistent" } });
}

test("without a terminal and without --yes it shows, changes nothing and ends with 4", async () => {
  const home = newAgentHome(["cursor", "codex"]);
  const answer = await initIn(home)();
  expect(answer).toMatchObject({
    code: 4,
    // A checkout in a temporary directory is told of before it.
    stderr: expect.stringMatching(
      /^(?:The entry starts .*\n)?holdfast: Nothing was changed: there is nobody to ask\. \[CONFIRMATION_REQUIRED\]\nRun it at a terminal, or with --yes\.\n$/,
    ) as string,
  });
  expect(answer.stdout).toContain("+ [mcp_servers.holdfast]");
  for (const name of ["cursor", "codex"])
    expect(readFileSync(agentFile(home, name), "utf8")).toBe(agentFiles[name]?.[1]);
});

test("a file that cannot be read is left alone, with its line; the others are written", async () => {
  const home = newAgentHome(["cursor", "codex", "goose", "zed", "kiro"]);
  const broken: Readonly<Record<string, string>> = {
    cursor: `{\n  "mcpServers": {\n    "a": { "env": "${agentSecret}"\n  }\n}\n`,
    codex: `a = 1\nb = "${agentSecret}\n`,
    goose: `extensions:\n  a: [${agentSecret}\nb: 1\n`,
  };
  for (const [name, text] of Object.entries(broken)) writeFileSync(agentFile(home, name), text);
  writeFileSync(agentFile(home, "kiro"), Buffer.from([0x7b, 0xff, 0x7d]));
  const init = initIn(home);
  const answer = await init("--yes");
  expect(answer).toMatchObject({ code: 2 });
  expect(answer.stderr).not.toContain(agentSecret);
  const lines = answer.stderr.split("\n");
  expect(lines.filter((line) => line.endsWith("[AGENT_CONFIG_INVALID]"))).toHaveLength(4);
  expect(answer.stderr).toMatch(/config\.toml, line 2: this string has no end\./);
  expect(answer.stderr).toMatch(/\.cursor\/mcp\.json, line 6: this is no JSON\./);
  for (const [name, text] of Object.entries(broken))
    expect(readFileSync(agentFile(home, name), "utf8")).toBe(text);
  expect(readFileSync(agentFile(home, "zed"), "utf8")).toContain(entryName);
  const { stdout } = await init("--yes", "--json");
  const outcomes = JSON.parse(stdout) as InitOutcome[]; // checked below
  expect(outcomes.map(({ agent, state, action }) => [agent, state, action])).toEqual([
    ["codex", "invalid", "refused"],
    ["cursor", "invalid", "refused"],
    ["zed", "current", "unchanged"],
    ["kiro", "invalid", "refused"],
    ["goose", "invalid", "refused"],
  ]);
});

test("another entry of our name is shown without its secrets, and replaced only when told; what was added to ours stays", async () => {
  const home = newAgentHome(["cursor"]);
  const file = agentFile(home, "cursor");
  const text = `{\n  "mcpServers": {\n    "holdfast": { "command": "mine", "env": { "TOKEN": "${agentSecret}" }, "timeout": 9 },\n    "z": {}\n  }\n}\n`;
  writeFileSync(file, text);
  const init = initIn(home);
  const refused = await init("--yes");
  expect(refused).toMatchObject({ code: 6 });
  expect(refused.stderr).toContain("[AGENT_ENTRY_DIFFERS]");
  expect(refused.stdout).toContain('-   "command": "mine"');
  expect(refused.stdout).toContain('-     "TOKEN": "(not shown)"');
  expect(refused.stdout + refused.stderr).not.toContain(agentSecret);
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(await init("--yes", "--replace")).toMatchObject({ code: 0 });
  const { mcpServers } = parse(readFileSync(file, "utf8")) as { mcpServers: Record<string, unknown> };
  expect(mcpServers).toEqual({
    holdfast: {
      type: "stdio",
      command: process.execPath,
      args: [expect.stringMatching(/bin\/holdfast$/), "mcp"],
      env: { TOKEN: agentSecret, HOLDFAST_HOME: expect.any(String) as string },
      timeout: 9,
    },
    z: {},
  });
  expect((await init()).stdout).toContain("is up to date.");
});

test("a symbolic link stays one, also to a file that is not there yet", async () => {
  const home = newAgentHome(["zed", "cursor"]);
  const dotfiles = mkdtempSync(join(testDirectory(), "d-"));
  renameSync(agentFile(home, "zed"), join(dotfiles, "zed.json"));
  symlinkSync(join(dotfiles, "zed.json"), agentFile(home, "zed"));
  mkdirSync(join(home, ".kiro/settings"), { recursive: true });
  symlinkSync(join(dotfiles, "kiro.json"), join(home, ".kiro/settings/mcp.json"));
  const answer = await initIn(home)("--yes", "--json");
  const outcomes = JSON.parse(answer.stdout) as InitOutcome[]; // checked below
  expect(outcomes.find(({ agent }) => agent === "zed")?.backup).toMatch(/\/d-[^/]+\/zed\.json\.holdfast-/);
  for (const [link, name] of [
    [agentFile(home, "zed"), "zed.json"],
    [join(home, ".kiro/settings/mcp.json"), "kiro.json"],
  ] as const) {
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readlinkSync(link)).toBe(join(dotfiles, name));
    expect(readFileSync(join(dotfiles, name), "utf8")).toContain(entryName);
  }
});

async function atTerminal(home: string, ...args: readonly string[]): Promise<CliTerminal> {
  const [cli, keeper] = [openCliHome(), await openKeeperHome()];
  const environment = { HOME: home, PATH: "/nonexistent", NO_COLOR: "1" };
  return await openCliTerminal(keeper, cli, ["init", ...args], { columns: 200, environment });
}

test("at a terminal each change is shown and asked for: y writes, Enter and the end of input do not", async () => {
  const home = newAgentHome(["codex", "cursor", "zed"]);
  const terminal = await atTerminal(home);
  await terminal.shows("Write it? [y/N] ");
  expect(await terminal.text()).toContain("+ [mcp_servers.holdfast]");
  await terminal.type("y\r");
  await terminal.shows("Cursor: ");
  await terminal.type("\r");
  await terminal.shows("Zed: ");
  await terminal.type("\u0004");
  expect((await terminal.ended).exit).toEqual({ kind: "exited", code: 0 });
  expect(await terminal.text()).not.toContain(agentSecret);
  expect(readFileSync(agentFile(home, "codex"), "utf8")).toContain("[mcp_servers.holdfast]\ncommand");
  for (const name of ["cursor", "zed"])
    expect(readFileSync(agentFile(home, name), "utf8")).toBe(agentFiles[name]?.[1]);
});

test("a file that changes while the question is open is left alone; Ctrl-C ends it with nothing changed", async () => {
  const home = newAgentHome(["codex"]);
  const file = agentFile(home, "codex");
  const terminal = await atTerminal(home);
  await terminal.shows("[y/N] ");
  writeFileSync(file, "changed = true\n");
  await terminal.type("yes\r");
  expect((await terminal.ended).exit).toEqual({ kind: "exited", code: 6 });
  expect(await terminal.text()).toContain("[AGENT_CONFIG_CHANGED]");
  expect(readFileSync(file, "utf8")).toBe("changed = true\n");
  const interrupted = await atTerminal(home);
  await interrupted.shows("[y/N] ");
  await interrupted.type("\u0003");
  expect((await interrupted.ended).exit).toMatchObject({ kind: "signaled", signal: 2 });
  expect(readFileSync(file, "utf8")).toBe("changed = true\n");
});
