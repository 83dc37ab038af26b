import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCliHome } from "../support/cli-home.ts";
import { cliProgram, programCommand } from "../support/programs.ts";
import { testDirectory } from "../support/test-home.ts";

test("in a directory that was removed, what needs one says so", async () => {
  const cli = openCliHome();
  const script = 'mkdir -p "$0" && cd "$0" && rmdir "$0" && exec "$@"';
  const commands = [["run", "-d", "--", "true"], ["wait", "p_none", "--for", "file:here"], ["mcp"]];
  for (const words of commands) {
    const program = programCommand(cliProgram, ...words);
    const options = { env: { ...cli.environment }, encoding: "utf8" } as const;
    const { status, stderr } = spawnSync(
      "sh",
      ["-c", script, join(testDirectory(), "gone"), ...program],
      options,
    );
    expect(stderr, words.join(" ")).toMatch(/^holdfast: .* \[NOT_A_DIRECTORY\]\n.+\n$/);
    expect(status).toBe(2);
  }
});
