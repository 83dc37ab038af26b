// Sessions and their shells on the command line.
import { expect, test } from "vitest";
import type { SessionDetail } from "../../src/protocol/sessions.ts";
import { openCliHome } from "../support/cli-home.ts";

test("run --shell-session goes on where the last one was; sessions lists, shows and ends it", async () => {
  const cli = openCliHome();
  const bash = { environment: { SHELL: "/bin/bash" } };
  await cli.run(["run", "--shell-session", "s", "cd /usr; export A=1"], bash);
  const { stdout: output } = await cli.run(["run", "--shell-session", "s", 'pwd; echo "$A"'], bash);
  expect(output).toBe("/usr\n1\n");
  const { stdout: elsewhere } = await cli.run(["run", "--shell-session", "s", "--cwd", "/", "pwd"], bash);
  expect(elsewhere).toBe("/\n");
  const { stdout: table } = await cli.run(["sessions"]);
  expect(table).toMatch(/SESSION +ACTIVE +ENDS +RUNNING +DIRECTORY\ns +\S+ ago +in .+ +0 +\/usr/);
  const detail = await cli.json<SessionDetail>(["sessions", "show", "s", "--json"]);
  expect(detail).toMatchObject({
    session: "s",
    running: 0,
    shell: { cwd: "/usr", set: ["A", "OLDPWD"], unset: [] },
  });
  const { stdout: ended } = await cli.run(["sessions", "end", "s"]);
  expect(ended).toBe("s has ended\n");
  expect(await cli.json(["sessions", "--json"])).toEqual([]);
});
