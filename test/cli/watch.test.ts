// Watches from the command line, as a person types them.
import { expect, test } from "vitest";
import type { NoticeWithText } from "../../src/protocol/notices.ts";
import type { WatchView } from "../../src/protocol/watches.ts";
import { sharedCliHome } from "../support/cli-home.ts";
import { cliSource } from "../support/programs.ts";

// From the sources: a checkout must work as the package does.
const shared = sharedCliHome(cliSource);

test("a start with watches, more of them later, what they found, and their end", async () => {
  const cli = shared;
  const id = await cli.background(
    "--name",
    "web",
    "--session",
    "s1",
    "--watch",
    "ready",
    "--watch-regex",
    "ERR(OR)?",
    "--",
    "sh",
    "-c",
    "echo starting; echo ready; echo ERROR 7; sleep 1000",
  );
  const list = (): Promise<WatchView[]> => cli.json<WatchView[]>(["watch", "list", "web", "--json"]);
  await expect.poll(list, { timeout: 20_000 }).toMatchObject([
    { hits: 1, spec: { kind: "text", text: "ready" } },
    { hits: 1, spec: { kind: "regex", regex: "ERR(OR)?" } },
  ]);
  const added = await cli.run(["watch", "add", "web", "--text", "start", "--from", "start"]);
  expect(added).toMatchObject({ code: 0, stderr: "" });
  const watch = added.stdout.trim();
  const shown = await cli.run(["watch", "list", id]);
  expect(shown.stdout).toMatch(/^ID +STATE +HITS +LAST +WATCH\n(w_\w{12} +active .*\n){3}$/);
  expect(shown.stdout).toContain("regex: ERR(OR)?");
  await expect
    .poll(() => cli.run(["watch", "hits", watch]), { timeout: 20_000 })
    .toMatchObject({
      code: 0,
      stdout: "         0  starting\n",
      stderr: "",
    });
  const counted = await cli.run(["watch", "hits", watch, "--counts"]);
  expect(counted).toMatchObject({ code: 0, stdout: "FROM  TO       HITS\n0     1048576  1\n" });
  expect(await cli.run(["watch", "remove", watch])).toMatchObject({ code: 0, stdout: `${watch} removed\n` });
  expect(await cli.run(["watch", "remove", watch])).toMatchObject({
    code: 0,
    stdout: `there was no ${watch}\n`,
  });
  expect(await list()).toHaveLength(2);
});

test("run --notify and --progress say what its session is told", async () => {
  const cli = shared;
  const id = await cli.background("--session", "s1", "--notify", "--", "sh", "-c", "exit 3");
  const failing = await cli.background("--session", "s1", "--notify", "failure", "--", "true");
  expect(await cli.json(["show", id, "--json"])).toMatchObject({ notify: "end" });
  expect(await cli.json(["show", failing, "--json"])).toMatchObject({ notify: "failure" });
  const long = await cli.background("--session", "s2", "--progress", "1s", "--", "sleep", "1000");
  const told = (): Promise<NoticeWithText[]> =>
    cli.json<NoticeWithText[]>(["notifications", "list", "--session", "s2", "--json"]);
  await expect.poll(told, { timeout: 20_000 }).toMatchObject([{ kind: "process.progress", processId: long }]);
});
