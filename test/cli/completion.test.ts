// Completion scripts: each shell that is installed must be able to read its own, and bash's is put to use.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCliHome } from "../support/cli-home.ts";
import { cliProgram } from "../support/programs.ts";

const shells = ["bash", "zsh", "fish"] as const;

function isInstalled(shell: string): boolean {
  return spawnSync(shell, ["-c", "exit 0"]).status === 0;
}

test.for(shells)(
  "%s has a script that names every command; where the shell is installed it parses it",
  async (shell) => {
    const cli = openCliHome();
    const { code, stdout } = await cli.run(["completion", shell]);
    expect(code).toBe(0);
    for (const word of ["run", "ps", "logs", "wait", "doctor", "completion", "since-offset"])
      expect(stdout).toContain(word);
    if (!isInstalled(shell)) return; // bash always is; the others are parsed where they are
    const file = join(cli.home, `completion.${shell}`);
    writeFileSync(file, stdout);
    const parsed = spawnSync(shell, ["-n", file], { encoding: "utf8" });
    expect(parsed, parsed.stderr).toMatchObject({ status: 0, stderr: "" });
  },
);

test("bash completes commands, options, choices and processes, and starts no daemon for it", async () => {
  const cli = openCliHome();
  const script = (await cli.run(["completion", "bash"])).stdout;
  const file = join(cli.home, "completion.bash");
  writeFileSync(file, `holdfast() { ${process.execPath} ${cliProgram} "$@"; }\n${script}`);
  const complete = (...words: string[]): string[] => {
    const quoted = words.map((word) => `'${word}'`).join(" ");
    const program = `source ${file}; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _holdfast; echo "\${COMPREPLY[@]}"`;
    const result = spawnSync("bash", ["-c", program], { encoding: "utf8", env: cli.environment });
    expect(result.stderr).toBe("");
    return result.stdout
      .trim()
      .split(" ")
      .filter((word) => word !== "");
  };
  expect(complete("holdfast", "co")).toEqual(["config", "completion"]);
  expect(complete("holdfast", "ps", "--st")).toEqual(["--state"]);
  expect(complete("holdfast", "ps", "--state", "st")).toEqual(["starting", "stopping"]);
  expect(complete("holdfast", "init", "--agent", "c")).toEqual([
    "claude-code",
    "claude-desktop",
    "codex",
    "copilot-cli",
    "cursor",
    "cline",
  ]);
  expect(complete("holdfast", "daemon", "st")).toEqual(["start", "stop", "status"]);
  expect(complete("holdfast", "show", "")).toEqual([]);
  const id = await cli.background("--", "sleep", "60");
  expect(complete("holdfast", "show", "p_")).toEqual([id]);
});
