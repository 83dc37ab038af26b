// A confined process reaches neither its launcher nor any keeper, nor any other process of its user; for root and for users without
// privileges. What listens is what the home really has.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  canConfine,
  devices,
  directoryFor,
  runConfined,
  users,
  type User,
} from "../support/confined-runs.ts";
import { isAlive } from "../support/process-facts.ts";
import { testDirectory } from "../support/test-home.ts";

/** Listens where anybody could connect, as a daemon does. */
async function listenAt(path: string): Promise<void> {
  const server = createServer((socket) => socket.end());
  server.listen(path);
  await once(server, "listening");
  onTestFinished(() => void server.close());
}

/** Another process of the same user, outside of any confinement. */
async function neighbourOf(user: User): Promise<number> {
  const as = user === "nobody" ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn("/bin/sleep", ["300"], { stdio: "ignore", ...as });
  await once(child, "spawn");
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  return child.pid ?? 0;
}

/** `$HOME_PATH` is the home of the keeper that runs it, found by its HOLDFAST_RUN. */
const findHome = 'HOME_PATH=$(dirname $(dirname "$HOLDFAST_RUN"))';

test.runIf(canConfine).for(users)("%s: the sockets of launcher and keepers are not there", async (user) => {
  const workspace = directoryFor(user, "workspace");
  // The home lies inside what may be written.
  const confinement = { ...devices, write: [testDirectory(), ...devices.write] };
  const script = `${findHome}
    $ATTEMPT connect $HOME_PATH/launcher.sock; $ATTEMPT connect $HOLDFAST_RUN/sock
    $ATTEMPT connect /proc/self/root$HOME_PATH/launcher.sock
    $ATTEMPT connect /proc/$PPID/root$HOME_PATH/launcher.sock; $ATTEMPT connect /proc/$PPID/cwd/$HOME_PATH/launcher.sock
    for fd in 3 4 7; do $ATTEMPT connect /proc/$PPID/fd/$fd/launcher.sock; done
    $ATTEMPT peel / .$HOME_PATH/launcher.sock; $ATTEMPT peel ${testDirectory()} \${HOME_PATH#${testDirectory()}/}/launcher.sock
    $ATTEMPT rename $HOME_PATH $HOME_PATH.moved; $ATTEMPT umount $HOME_PATH; $ATTEMPT unshare $HOME_PATH; $ATTEMPT enter $PPID; $ATTEMPT mount $HOME_PATH
    ls -A $HOME_PATH | wc -l; ls /proc/self/fd | wc -l`;
  const { lines, exit } = await runConfined(user, script, { cwd: workspace, confinement });
  expect(exit).toEqual({ kind: "exited", code: 0 });
  const connects = lines.filter((line) => line.startsWith("connect"));
  expect(connects).toEqual([
    "connect ENOENT",
    "connect ENOENT",
    "connect ENOENT",
    ...Array.from({ length: 5 }, () => "connect EACCES"),
  ]);
  const [peel, peelInside, rename, umount, unshare, enter, mount, entries, descriptors] = lines.slice(
    connects.length,
  );
  expect([peel, peelInside, rename, umount, unshare, enter, mount]).toEqual([
    "peel EINVAL",
    "peel EINVAL",
    "rename EBUSY",
    "umount EPERM",
    expect.stringMatching(/^unshare (?:EPERM|EINVAL)$/),
    expect.stringMatching(/^enter E(?:PERM|ACCES)$/),
    "mount EPERM",
  ]);
  expect(entries?.trim()).toBe("0");
  // 0, 1, 2, and the one that `ls` reads the folder with.
  expect(descriptors?.trim()).toBe("4");
});

test.runIf(canConfine).for(users)("%s: other processes can be seen, and nothing else", async (user) => {
  const workspace = directoryFor(user, "workspace");
  const pid = await neighbourOf(user);
  const name = `@holdfast-test-${process.pid}-${user}`;
  await listenAt(`\0${name.slice(1)}`);
  const confinement = { ...devices, write: [workspace, ...devices.write] };
  const whole = `exec 2>/dev/null; test -d /proc/${pid} && echo seen
    for pid in ${pid} $PPID; do for what in kill limit trace take; do $ATTEMPT $what $pid; done; done
    for file in environ mem root/etc/passwd cwd/x fd/0 maps; do $ATTEMPT read /proc/${pid}/$file; done
    $ATTEMPT write /proc/${pid}/oom_score_adj; $ATTEMPT connect ${name}
    sleep 300 & $ATTEMPT kill $!; wait $!; echo $?`;
  const { lines } = await runConfined(user, whole, { cwd: workspace, confinement });
  const refused = (what: string): string => `${what} E(?:PERM|ACCES)`;
  const expected = [
    "seen",
    ...[pid, "keeper"].flatMap(() => ["kill", "limit", "trace", "take"].map(refused)),
    ...Array.from({ length: 6 }, () => refused("read")),
    "write E(?:ROFS|ACCES)",
    refused("connect"),
    "kill ok",
    "137",
  ];
  expect(lines).toHaveLength(expected.length);
  for (const [index, line] of lines.entries()) expect(line).toMatch(new RegExp(`^${expected[index]}$`));
  expect(isAlive(pid)).toBe(true);
});

test.runIf(canConfine).for(users)("%s: a hidden place is hidden by every name", async (user) => {
  const workspace = directoryFor(user, "workspace");
  const hidden = directoryFor(user, "hidden");
  const shown = join(hidden, "shown");
  mkdirSync(shown);
  await listenAt(join(hidden, "sock"));
  await listenAt(join(shown, "sock"));
  await listenAt(join(workspace, "sock"));
  const confinement = {
    write: [workspace, ...devices.write],
    hide: [hidden, ...devices.hide],
    show: [shown],
  };
  const script = `ln -s ${hidden} link; for path in sock ${shown}/sock ${hidden}/sock link/sock; do $ATTEMPT connect $path; done
    $ATTEMPT create ${hidden}/x; $ATTEMPT create ${shown}/x; $ATTEMPT rename ${hidden} ${hidden}2; ls ${hidden}`;
  const { lines } = await runConfined(user, script, { cwd: workspace, confinement });
  expect(lines).toEqual([
    expect.stringMatching(user === "nobody" ? /^connect EACCES$/ : /^connect ok$/), // root's, and 0755
    expect.stringMatching(user === "nobody" ? /^connect EACCES$/ : /^connect ok$/),
    "connect ENOENT",
    "connect ENOENT",
    "create EROFS",
    "create EROFS",
    expect.stringMatching(/^rename E(?:ROFS|BUSY|ACCES|XDEV)$/),
    "shown",
  ]);
});

test.runIf(canConfine).for(users)("%s: terminals of others are not there, and its own work", async (user) => {
  const workspace = directoryFor(user, "workspace");
  const confinement = { ...devices, write: [workspace, ...devices.write] };
  const script = `tty; test -t 0 && echo terminal; echo by name > /dev/tty; ls /dev/pts; $ATTEMPT terminal; echo to > $(tty)`;
  const { lines } = await runConfined(user, script, { cwd: workspace, confinement, mode: "pty" });
  expect(lines).toEqual(["/dev/console", "terminal", "by name", "ptmx", "terminal ok", "to"]);
});
