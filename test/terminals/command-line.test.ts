// Terminals from the command line: a person's own terminal is not asked what the daemon answers.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { OperationOutput } from "../../src/protocol/operations.ts";
import { openCliHome } from "../support/cli-home.ts";
import { openCliTerminal } from "../support/cli-terminal.ts";
import { openKeeperHome } from "../support/keeper-home.ts";
import { testDirectory } from "../support/test-home.ts";

test("a question of the program is answered by the daemon, once, and never shown to the terminal it runs in", async () => {
  const [cli, keeper] = [openCliHome(), await openKeeperHome()];
  await cli.run(["daemon", "start"]);
  const file = join(testDirectory(), "answer");
  const script = `stty raw -echo; printf 'be\\033[c\\033[6nfore\\033]11;?\\007'; dd bs=1 count=13 of=${file} 2>/dev/null; printf 'after\\r\\n'`;
  const terminal = await openCliTerminal(keeper, cli, ["run", "--", "sh", "-c", script]);
  await terminal.shows("after");
  await terminal.ended;
  expect(readFileSync(file, "latin1")).toBe("\u001b[?1;2c\u001b[1;3R");
  const shown = await terminal.text();
  expect(shown).toContain("before");
  // Only the terminal itself knows its colours.
  expect(shown).toContain("\u001b]11;?\u0007");
});

test("terminal open, terminal list and screen", async () => {
  const cli = openCliHome();
  const open = ["terminal", "open", "--key", "k", "--cwd", testDirectory(), "--shell", "/bin/sh"];
  const first = await cli.json<OperationOutput<"terminal.open">>([
    ...open,
    "--columns",
    "70",
    "--rows",
    "9",
    "--json",
  ]);
  expect(first).toMatchObject({ reused: false, columns: 70, rows: 9 });
  expect((await cli.run(open)).stdout).toContain(`${first.process.id} is there`);
  // Sizes are clamped, never refused.
  const clamped = await cli.run([...open, "--columns", "-3", "--rows", "99999"]);
  expect(clamped.stdout).toContain("1×500");
  const resized = await cli.run(["resize", first.process.id, "-1", "0"]);
  expect(resized.stdout).toContain("1×500 now");
  const restarted = await cli.run([...open, "--restart"]);
  expect(restarted.stdout).toContain("is new");
  expect(restarted.stderr).toContain(`${first.process.id} was ended first`);
  const [terminal] = await cli.json<OperationOutput<"terminal.list">["terminals"]>(["terminals", "--json"]);
  expect(terminal).toMatchObject({ key: "k", viewers: 0 });
  const id = terminal?.process.id ?? "";
  await cli.run(["send", id, "echo se''en", "--enter"]);
  await cli.run(["wait", id, "--for", "log:seen", "--timeout", "20s"]);
  expect((await cli.run(["screen", id])).stdout).toContain("\nseen\n");
  expect((await cli.run(["view", "close", id])).stderr).toContain("NO_VIEWER");
  expect((await cli.run(["terminal", "open", "--key", "k", "--cwd", "/no/such"])).stderr).toContain(
    "NOT_A_DIRECTORY",
  );
  expect(await cli.json<unknown[]>(["view", "list", "--json"])).toEqual([]);
});
