// A secret is typed only where it is not shown, and stdin is never written to disk.
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { collectOutput, openKeeperHome, outputContains, type KeeperHome } from "../support/keeper-home.ts";

const secret = "correct-horse-battery-staple";

/** Files of the whole home, launcher.log and sockets' folders included, that hold the text. */
function filesHolding(keeper: KeeperHome, text: string): string {
  return execFileSync("sh", ["-c", `grep -rl -- "$0" "$1" || true`, text, keeper.home]).toString();
}

test("a secret is refused while the terminal echoes, and nothing of it is typed", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("echo ready; read line; echo got $line", { mode: "pty" });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "ready");
  await expect(kept.write(`${secret}\n`, { secret: true })).rejects.toMatchObject({ code: "ECHO_ON" });
  await kept.write("other\n");
  await run.ended;
  expect((await collectOutput(kept)).toString()).toBe("ready\r\nother\r\ngot other\r\n");
  expect(filesHolding(keeper, secret)).toBe("");
});

test.each([
  ["stty -echo", "stty -echo; echo ready; read line; echo length ${#line}"],
  ["read -s", "exec bash -c 'read -s -p ready line; echo length ${#line}'"],
])("a secret is accepted after %s, and is in no file afterwards", async (_name, script) => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell(script, { mode: "pty" });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "ready");
  await kept.write(`${secret}\n`, { secret: true });
  await outputContains(kept, `length ${secret.length}`);
  expect(filesHolding(keeper, secret)).toBe("");
  await run.ended;
  expect(filesHolding(keeper, secret)).toBe("");
});

test("a forced secret is typed although it is shown", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("echo ready; read line; echo length ${#line}", { mode: "pty" });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "ready");
  await kept.write(`${secret}\n`, { secret: true, force: true });
  await outputContains(kept, `length ${secret.length}`);
  // The terminal showed it, so it is output: the search above can find what there is.
  expect(filesHolding(keeper, secret)).not.toBe("");
});

test("a pipe shows nothing, so a secret is taken; nothing of stdin is ever in a file", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("read a; read b; echo ${#a} ${#b}; exec sleep 600", { stdin: "open" });
  await using kept = keeper.kept(run.id);
  await kept.write(`${secret}\n`, { secret: true });
  await kept.write("plain-stdin-line\n");
  await outputContains(kept, `${secret.length} 16\n`);
  // Queued and never read: still not on disk, neither now nor after the end.
  await kept.write("line-that-nobody-reads\n");
  const lookForAll = (): string[] =>
    [secret, "plain-stdin-line", "line-that-nobody-reads"].map((text) => filesHolding(keeper, text));
  expect(lookForAll()).toEqual(["", "", ""]);
  await kept.stop({ graceMs: 0 });
  expect(lookForAll()).toEqual(["", "", ""]);
});
