// A process gets the limits of open files that its caller has, not those Node has raised its own to.
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openCliHome, type CliHome } from "../support/cli-home.ts";
import { connectedClient } from "../support/connected-client.ts";

const holdfast = join(import.meta.dirname, "../../bin/holdfast");

/** Runs a script in which `holdfast` is what a person types, with a `node` that is new enough. */
function shell(cli: CliHome, script: string): string {
  const PATH = `${dirname(process.execPath)}:${cli.environment["PATH"]}`;
  const env = { ...cli.environment, PATH, H: holdfast };
  return execFileSync("/bin/sh", ["-c", script], { env, encoding: "utf8" });
}

const tell = `-- sh -c 'ulimit -Sn; ulimit -Hn; echo "[$HOLDFAST_SOFT_NOFILE]"'`;

test("the soft limit of the shell, with the hard one kept; odd variables pass too", async () => {
  const cli = openCliHome();
  const hard = shell(cli, "ulimit -Hn").trim();
  expect(shell(cli, `ulimit -Sn 1000; "$H" run ${tell}; true`)).toBe(`1000\n${hard}\n[]\n`);
  expect(shell(cli, `ulimit -Sn 900; ulimit -Hn 2000; "$H" run ${tell}; true`)).toBe("900\n2000\n[]\n");
  const odd = `f() { echo from a function; }; export -f f; "$H" run -- bash -c f`;
  expect(shell(cli, `exec bash -c '${odd}'`)).toBe("from a function\n");
});

test("a caller that tells none gets those the daemon was started with", async () => {
  const cli = openCliHome();
  const hard = shell(cli, "ulimit -Hn").trim();
  shell(cli, `ulimit -Sn 777; "$H" daemon start`);
  const client = await connectedClient({ home: cli.home });
  const { id } = await client.process.start({ command: "ulimit -Sn; ulimit -Hn", cwd: "/" });
  await client.process.wait({ ids: [id] });
  expect((await client.process.output({ id })).text).toBe(`777\n${hard}\n`);
  const own = await client.process.start({
    command: "ulimit -Sn; ulimit -Hn",
    cwd: "/",
    nofile: { soft: 300, hard: "infinity" },
    limits: { rlimits: { nofile: { soft: 200, hard: 400 } } },
  });
  await client.process.wait({ ids: [own.id] });
  expect((await client.process.output({ id: own.id })).text).toBe("200\n400\n");
});
