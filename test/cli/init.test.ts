// `holdfast init`: our MCP entry in the files of every agent, and nothing else of them.
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parse as parseJson } from "jsonc-parser";
import { expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { agents } from "../../src/agents/agent-table.ts";
import type { InitOutcome } from "../../src/cli/run-init.ts";
import { agentFile, agentFiles, agentSecret, newAgentHome } from "../support/agent-files.ts";
import { buildPackage } from "../support/built-package.ts";
import { openCliHome, type CliAnswer, type CliHome } from "../support/cli-home.ts";
import { temporaryPlaceOf } from "../../src/supervision/temporary-place.ts";
import { packageDirectory } from "../support/programs.ts";
import { newTestHome } from "../support/test-home.ts";

// A checkout in a temporary directory is told of as one that may vanish.
const noted =
  temporaryPlaceOf(process.execPath) === undefined ? "" : (expect.stringContaining("may vanish") as string);
const here = Object.keys(agentFiles);

interface AgentHome {
  readonly cli: CliHome;
  readonly home: string;
  readonly init: (...args: readonly string[]) => Promise<CliAnswer>;
  readonly outcomes: (...args: readonly string[]) => Promise<InitOutcome[]>;
}

function openAgentHome(
  names?: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): AgentHome {
  const [cli, home] = [openCliHome(), newAgentHome(names)];
  // Nothing of this machine is on PATH: what is found is found by its files.
  const options = { environment: { HOME: home, PATH: "/nonexistent", ...environment } };
  return {
    cli,
    home,
    init: (...args) => cli.run(["init", ...args], options),
    outcomes: async (...args) => {
      const { stdout } = await cli.run(["init", "--json", ...args], options);
      return JSON.parse(stdout) as InitOutcome[]; // checked by whoever asks
    },
  };
}

function filesBelow(home: string): string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}

/** Every line of the first, in order, in the second; a comma may have come to its end. */
function isWithin(before: string, after: string): boolean {
  const lines = after.split("\n");
  return before.split("\n").every((line) => {
    const at = lines.findIndex(
      (other) => other === line || other.replace(/,(\s*(?:\/[/*].*)?)$/, "$1") === line,
    );
    if (at >= 0) lines.splice(0, at + 1);
    return at >= 0;
  });
}

test("every agent has a file in these tests, but the ones of another system", () => {
  const others = agents.filter(({ platforms }) => platforms?.includes(process.platform) === false);
  expect([...here, ...others.map(({ name }) => name)].toSorted()).toEqual(
    agents.map(({ name }) => name).toSorted(),
  );
});

test("writes all of them, keeps everything else, has nothing to do the second time, and takes it out again", async () => {
  const { home, init, outcomes } = openAgentHome();
  const shown = await init("--dry-run");
  expect(shown).toMatchObject({ code: 0, stderr: noted });
  expect(shown.stdout).not.toContain(agentSecret);
  expect(shown.stdout.match(/^ {2}\+ .*holdfast/gm)?.length).toBeGreaterThanOrEqual(here.length);
  for (const name of here)
    expect(readFileSync(agentFile(home, name), "utf8"), name).toBe(agentFiles[name]?.[1]);
  expect(filesBelow(home)).toHaveLength(here.length);

  const written = await outcomes("--yes");
  expect(written.map(({ agent }) => agent).toSorted()).toEqual(here.toSorted());
  for (const { agent, file, state, action, backup, error } of written) {
    const [path = "", before = ""] = agentFiles[agent] ?? [];
    expect({ file, state, action, error }, agent).toEqual({
      file: join(home, path),
      state: "missing",
      action: "written",
      error: null,
    });
    expect(readFileSync(backup ?? "", "utf8"), agent).toBe(before);
    expect([dirname(backup ?? ""), basename(backup ?? "")]).toEqual([
      dirname(file),
      expect.stringMatching(
        new RegExp(`^${basename(path).replaceAll(".", "\\.")}\\.holdfast-\\d{8}T\\d{6}Z$`),
      ),
    ]);
    expect(statSync(backup ?? "").mode & 0o777).toBe(0o600);
    const after = readFileSync(file, "utf8");
    expect(after, agent).toContain(agentFiles[agent]?.[1].includes("\r\n") === true ? "\r\n" : "\n");
    expect(after.includes("\r\n"), agent).toBe(before.includes("\r\n"));
    expect(after.replaceAll("\r\n", "").includes("\r"), agent).toBe(false);
    // Files of one line, and empty groups, are the only ones where a line changes.
    const isOneLine = ["copilot-cli", "qwen-code", "windsurf"].includes(agent);
    expect(isOneLine || isWithin(before, after), `${agent}\n${after}`).toBe(true);
    expect(after).toContain(before.includes(agentSecret) ? agentSecret : "holdfast");
  }

  const stamps = here.map((name) => statSync(agentFile(home, name)).mtimeMs);
  expect((await outcomes("--yes")).map(({ action }) => action)).toEqual(here.map(() => "unchanged"));
  expect(await init()).toMatchObject({ code: 0, stderr: noted });
  expect(here.map((name) => statSync(agentFile(home, name)).mtimeMs)).toEqual(stamps);
  expect(filesBelow(home)).toHaveLength(2 * here.length);

  expect((await outcomes("--remove", "--yes")).map(({ action }) => action)).toEqual(
    here.map(() => "removed"),
  );
  // Groups that were not there, or were empty, stay as empty groups.
  const left = ["windsurf", "devin", "qwen-code"];
  for (const name of here.filter((each) => !left.includes(each))) {
    expect(readFileSync(agentFile(home, name), "utf8"), name).toBe(agentFiles[name]?.[1]);
  }
  expect(parseJson(readFileSync(agentFile(home, "qwen-code"), "utf8"))).toEqual({ mcpServers: {} });
});

test("the entry is what each format and agent wants", async () => {
  const { cli, home, outcomes } = openAgentHome(["goose", "opencode", "vscode", "codex", "copilot-cli"]);
  await outcomes("--yes");
  const program = join(packageDirectory, "bin/holdfast");
  const env = { HOLDFAST_HOME: cli.home };
  const read = (name: string): string => readFileSync(agentFile(home, name), "utf8");
  expect(parseYaml(read("goose"))).toMatchObject({
    extensions: {
      holdfast: { type: "stdio", cmd: process.execPath, args: [program, "mcp"], enabled: true, envs: env },
    },
  });
  expect(parseJson(read("opencode"))).toMatchObject({
    mcp: {
      holdfast: {
        type: "local",
        command: [process.execPath, program, "mcp"],
        enabled: true,
        environment: env,
      },
    },
  });
  expect(parseJson(read("vscode"))).toMatchObject({
    servers: { holdfast: { type: "stdio", command: process.execPath, env } },
  });
  expect(parseJson(read("copilot-cli"))).toMatchObject({
    mcpServers: { holdfast: { type: "local", tools: ["*"] } },
  });
  expect(read("codex")).toContain(
    `\n[mcp_servers.holdfast]\ncommand = "${process.execPath}"\nargs = ["${program}", "mcp"]\nenv = { HOLDFAST_HOME = "${cli.home}" }\n`,
  );
});

test("an agent is found by its directory, its program or the variable that moves it; named ones are written anyway", async () => {
  const programs = newTestHome();
  writeFileSync(join(programs, "gemini"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(join(programs, "qwen"), "not executable", { mode: 0o644 });
  const moved = newTestHome();
  const { home, init, outcomes } = openAgentHome([], {
    PATH: programs,
    CODEX_HOME: moved,
    XDG_CONFIG_HOME: join(moved, "config"),
  });
  mkdirSync(join(home, ".kiro"));
  expect((await outcomes("--dry-run")).map(({ file }) => file).toSorted()).toEqual(
    [
      join(moved, "config.toml"),
      join(home, ".gemini/settings.json"),
      join(home, ".kiro/settings/mcp.json"),
    ].toSorted(),
  );
  const [named] = await outcomes("--yes", "--agent", "zed");
  expect(named).toMatchObject({
    file: join(moved, "config/zed/settings.json"),
    action: "written",
    backup: null,
  });
  expect(statSync(named?.file ?? "").mode & 0o777).toBe(0o600);
  const nobody = openAgentHome([]);
  expect(await nobody.init("--yes")).toMatchObject({ code: 5, stdout: "" });
  expect((await init("--dry-run", "--agent", "cursor")).stdout).toContain("(new), mcpServers");
});

test("the files of a project name no place of this machine", async () => {
  const { cli, home } = openAgentHome(["claude-code", "cursor", "goose"]);
  const project = newTestHome();
  mkdirSync(join(project, ".git"));
  mkdirSync(join(project, "src"));
  const run = (...args: string[]): Promise<CliAnswer> =>
    cli.run(["init", "--project", ...args], {
      cwd: join(project, "src"),
      environment: { HOME: home, PATH: "/nonexistent" },
    });
  expect(await run("--yes")).toMatchObject({ code: 0, stderr: "" });
  const entry = { type: "stdio", command: "holdfast", args: ["mcp"] };
  for (const file of [".mcp.json", ".cursor/mcp.json"]) {
    expect(JSON.parse(readFileSync(join(project, file), "utf8"))).toEqual({
      mcpServers: { holdfast: entry },
    });
  }
  expect(readFileSync(agentFile(home, "cursor"), "utf8")).toBe(agentFiles["cursor"]?.[1]);
  expect(await run("--yes", "--agent", "goose")).toMatchObject({ code: 2, stdout: "" });
});

test("OpenCode's newer form is kept where a file has it", async () => {
  const { home, outcomes } = openAgentHome(["opencode"]);
  const file = agentFile(home, "opencode");
  writeFileSync(
    file,
    '{\n  "mcp": {\n    "servers": { "a": { "type": "local", "command": ["a"] } },\n  },\n}\n',
  );
  expect(await outcomes("--yes")).toMatchObject([{ action: "written" }]);
  const { mcp } = parseJson(readFileSync(file, "utf8"), undefined, { allowTrailingComma: true }) as {
    mcp: object;
  };
  expect(Object.keys(mcp)).toEqual(["servers"]);
  expect(mcp).toMatchObject({
    servers: { holdfast: { type: "local", command: [process.execPath, expect.any(String), "mcp"] } },
  });
  expect(JSON.stringify(mcp)).not.toContain("enabled");
});

test("an installed package does it without sources and packages", async () => {
  const { cli: program } = buildPackage();
  const home = newAgentHome(["zed", "codex", "goose"]);
  const cli = openCliHome(newTestHome(), program);
  chmodSync(agentFile(home, "zed"), 0o640);
  const outcomes = await cli.json<InitOutcome[]>(["init", "--yes", "--json"], {
    environment: { HOME: home, PATH: "/nonexistent" },
  });
  expect(outcomes.map(({ action }) => action)).toEqual(["written", "written", "written"]);
  expect(readFileSync(agentFile(home, "zed"), "utf8")).toContain(`"${program}", "mcp"`);
  expect(statSync(agentFile(home, "zed")).mode & 0o777).toBe(0o640);
});
