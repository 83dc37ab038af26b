// A secret is typed only where it is not shown, and stdin is never written to disk.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesHolding as filesOf } from "../support/files-holding.ts";
import { collectOutput, openKeeperHome, outputContains, type KeeperHome } from "../support/keeper-home.ts";

const secret = "correct-horse-battery-staple";

/** Files of the whole home, launcher.log and sockets' folders included, that hold the text. */
function filesHolding(keeper: KeeperHome, text: string): string {
  return filesOf(keeper.home, text);
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

test("a secret is refused while a program reads keys itself: a shell's line editor shows and remembers them", async () => {
  const keeper = await openKeeperHome();
  const history = join(keeper.home, "history");
  const run = await keeper.start({
    argv: ["/bin/bash", "--norc", "-i"],
    mode: "pty",
    env: { PATH: process.env["PATH"] ?? "", PS1: "ready>", HISTFILE: history, TERM: "xterm" },
  });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "ready>");
  // The prompt is written before the line editor sets the terminal: until then it still echoes, and that is refused too.
  await expect(kept.write(`${secret}\n`, { secret: true })).rejects.toMatchObject({ code: "ECHO_ON" });
  await expect
    .poll(async () => (await kept.state()).terminal, { timeout: 10_000 })
    .toMatchObject({ isCanonical: false, isEchoing: false });
  await expect(kept.write(`${secret}\n`, { secret: true })).rejects.toMatchObject({ code: "ECHO_ON" });
  await kept.write("exit\r");
  await run.ended;
  expect(existsSync(history)).toBe(true);
  expect(filesHolding(keeper, secret)).toBe("");
});

test("a secret does not queue up behind input that nobody reads", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("stty -echo; echo ready; exec sleep 600", { mode: "pty" });
  await using kept = keeper.kept(run.id);
  await using flooding = keeper.kept(run.id);
  await outputContains(kept, "ready");
  const flood = flooding.write("plain\n".repeat(50_000)).catch(() => "ended");
  const attempt = async (): Promise<unknown> =>
    await kept.write(`${secret}\n`, { secret: true }).catch((error: unknown) => error);
  await expect.poll(attempt, { timeout: 10_000 }).toMatchObject({ code: "ECHO_ON" });
  await kept.stop({ graceMs: 0 });
  await flood;
  expect(filesHolding(keeper, secret)).toBe("");
});

test("a secret that was taken is not refused when its answer was lost and the prompt is over", async () => {
  const keeper = await openKeeperHome();
  const script =
    "stty -echo; echo ready; read line; stty echo; echo length ${#line}; read other; echo got $other";
  const run = await keeper.shell(script, { mode: "pty" });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "ready");
  const writer = { id: 77n, sequence: 0 };
  const bytes = Buffer.from(`${secret}\n`);
  expect(await kept.writeAs(writer, bytes, { secret: true })).toBe(bytes.length);
  await outputContains(kept, `length ${secret.length}`);
  expect(await kept.writeAs(writer, bytes, { secret: true })).toBe(bytes.length);
  const more = { id: 77n, sequence: bytes.length };
  await expect(kept.writeAs(more, bytes, { secret: true })).rejects.toMatchObject({ code: "ECHO_ON" });
  await kept.write("plain\n");
  await outputContains(kept, "got plain");
  expect(filesHolding(keeper, secret)).toBe("");
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
