// A run's socket can be reached from anywhere it should be, and by nobody else.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { connectUnixSocket, KeeperConnection } from "../../src/keeper/index.ts";
import { collectOutput, openKeeperHome, outputContains } from "../support/keeper-home.ts";
import { newTestHome, testDirectory } from "../support/test-home.ts";

const isRoot = process.getuid?.() === 0;

test("a home with a very long path works for start, connect, output, stdin and stop", async () => {
  const home = join(newTestHome(), "d".repeat(100), "e".repeat(100), "f".repeat(100));
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const keeper = await openKeeperHome(home);
  const run = await keeper.start({ argv: ["/bin/cat"], stdin: "open" });
  await using kept = keeper.kept(run.id);
  await kept.write("through a long path\n");
  await outputContains(kept, "through a long path\n");
  expect(await kept.stop()).toMatchObject({ outcome: "ended" });
  await run.ended;
  expect((await collectOutput(kept)).toString()).toBe("through a long path\n");
});

test("a socket file that was removed is bound again, and open connections go on meanwhile", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/cat"], stdin: "open" });
  const path = join(run.directory, "sock");
  await using before = await KeeperConnection.open(await connectUnixSocket(run.directory, "sock"));
  rmSync(path);
  await before.ping();
  await using kept = keeper.kept(run.id);
  await kept.write("after\n");
  await outputContains(kept, "after");
  expect(existsSync(path)).toBe(true);
  await before.ping();
});

test("home, run directory and files are for their owner only", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/cat"], stdin: "open", umask: 0 });
  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
  expect(modeOf(dirname(run.directory))).toBe("700");
  expect(modeOf(run.directory)).toBe("700");
  for (const name of ["spec", "keeper", "sock", "exit.tmp", "0000000000000000.log", "0000000000000000.idx"])
    expect([name, modeOf(join(run.directory, name))]).toEqual([name, "600"]);
});

/** What a client of another user gets from a socket: all bytes until the end. */
const readGreeting = `use Socket; socket(my $s, AF_UNIX, SOCK_STREAM, 0); connect($s, pack_sockaddr_un($ARGV[0])) or die "connect: $!";
  $SIG{ALRM} = sub { print "silence"; exit }; my $n = sysread($s, my $bytes, 100) // -1; print "bytes $n"`;

test.skipIf(!isRoot)(
  "a client of another user is closed at once, even if the file modes let it in",
  async () => {
    const keeper = await openKeeperHome();
    const run = await keeper.start({ argv: ["/bin/cat"], stdin: "open" });
    const ask = (user: number, socket: string): string => {
      const options = [`--reuid=${user}`, `--regid=${user}`, "--clear-groups"];
      return execFileSync("setpriv", [...options, "perl", "-e", readGreeting, socket]).toString();
    };
    const sockets = [join(run.directory, "sock"), join(keeper.home, "launcher.sock")];
    for (const folder of [testDirectory(), keeper.home, join(keeper.home, "runs"), run.directory])
      chmodSync(folder, 0o711);
    for (const socket of sockets) {
      chmodSync(socket, 0o666);
      expect(ask(0, socket)).toMatch(/^bytes [1-9]/);
      expect(ask(65_534, socket)).toMatch(/^bytes (0|-1)$/);
    }
  },
);
