// A confined process changes nothing but what it was given, whatever way it tries; for root and for users without privileges.
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import {
  canConfine,
  devices,
  directoryFor,
  runConfined,
  users,
  type User,
} from "../support/confined-runs.ts";

interface Places {
  readonly workspace: string;
  readonly outside: string;
  /** A file outside, and what must not change about it. */
  readonly file: string;
  readonly confinement: typeof devices;
}

async function openPlaces(user: User): Promise<Places> {
  const workspace = directoryFor(user, "workspace");
  const outside = directoryFor(user, "outside");
  const file = join(outside, "file");
  writeFileSync(file, "precious\n", { mode: 0o666 });
  return { workspace, outside, file, confinement: { ...devices, write: [workspace, ...devices.write] } };
}

function factsOf(path: string): unknown {
  const { mode, mtimeMs, uid, gid, nlink, size, ino } = lstatSync(path);
  return { mode, mtimeMs, uid, gid, nlink, size, ino };
}

test.runIf(canConfine).for(users)("%s: inside the workspace everything works", async (user) => {
  const { workspace, confinement } = await openPlaces(user);
  const script = `set -e; echo one > a; mkdir d; mv a d/b; ln d/b c; ln -s d/b s; echo two >> s; chmod 600 c; mkfifo f; rm f
    sh -c 'echo three >> d/b'; cat c; mv d e; rm -r e; ls; echo gone > /dev/null; (echo kept) > /dev/stderr; mktemp ./x.XXXX > /dev/null`;
  const { exit, lines } = await runConfined(user, script, { cwd: workspace, confinement });
  expect({ exit, lines }).toEqual({
    exit: { kind: "exited", code: 0 },
    lines: ["one", "two", "three", "c", "s", "kept"],
  });
});

test.runIf(canConfine).for(users)("%s: outside nothing does, by no way", async (user) => {
  const { workspace, outside, file, confinement } = await openPlaces(user);
  symlinkSync(file, join(workspace, "link"));
  const before = [factsOf(file), factsOf(outside)];
  const script = `exec 2>&1; touch mine
    for what in write truncate unlink chmod touch chown xattr; do $ATTEMPT $what ${file}; done
    $ATTEMPT create ${outside}/new; $ATTEMPT mkdir ${outside}/new; $ATTEMPT mknod ${workspace}/device
    $ATTEMPT rename mine ${outside}/mine; $ATTEMPT rename ${file} theirs
    $ATTEMPT link ${file} theirs; $ATTEMPT link mine ${outside}/mine; $ATTEMPT symlink /etc ${outside}/etc
    $ATTEMPT write link; $ATTEMPT truncate link
    $ATTEMPT write /proc/self/root${file}; $ATTEMPT truncate /proc/self/cwd/${relative(workspace, file)}
    $ATTEMPT loosen ${file}; cd ${outside} && $ATTEMPT write ./file
    sh -c 'sh -c "\\$ATTEMPT write ${file}"'
    setsid sh -c '$ATTEMPT write ${file}'`;
  const { exit, lines } = await runConfined(user, script, { cwd: workspace, confinement });
  expect(exit).toEqual({ kind: "exited", code: 0 });
  expect(lines).toHaveLength(23);
  expect(lines.filter((line) => !/ (?:EROFS|EACCES|EXDEV|EPERM)$/.test(line))).toEqual([]);
  expect([factsOf(file), factsOf(outside)]).toEqual(before);
  expect(readFileSync(file, "utf8")).toBe("precious\n");
  expect(readdirSync(outside)).toEqual(["file"]);
});

test.runIf(canConfine).for(users)("%s: reading is as without", async (user) => {
  const { workspace, file, confinement } = await openPlaces(user);
  const script = `cat ${file}; cat /etc/passwd | wc -l | grep -c '[0-9]'; test -r /proc/self/status && echo proc; ls /usr/bin | grep -cx env`;
  const { lines } = await runConfined(user, script, { cwd: workspace, confinement });
  expect(lines).toEqual(["precious", "1", "proc", "1"]);
});

test.runIf(canConfine).for(users)("%s: what outlives its parent stays confined", async (user) => {
  const { workspace, file, confinement } = await openPlaces(user);
  // Its parent has ended, and so has the child of the keeper.
  const script = `(setsid sh -c 'while kill -0 '$$' 2>/dev/null; do sleep 0.01; done; $ATTEMPT write ${file} >> told' &) ; echo left`;
  const { lines } = await runConfined(user, script, { cwd: workspace, confinement });
  expect(lines).toEqual(["left"]);
  const told = (): string =>
    existsSync(join(workspace, "told")) ? readFileSync(join(workspace, "told"), "utf8") : "";
  await expect.poll(told, { timeout: 10_000, interval: 10 }).toMatch(/^write (?:EROFS|EACCES)\n$/);
});

test.runIf(canConfine).for(users)("%s: limits and attributes are as asked for", async (user) => {
  const { workspace, confinement } = await openPlaces(user);
  const rlimits = { nofile: { soft: 8, hard: 9 }, core: { soft: 0, hard: 0 } };
  const script = "ulimit -Sn; ulimit -Hn; ulimit -c; umask; nice; cat /proc/self/oom_score_adj";
  const more = { cwd: workspace, confinement, rlimits, umask: 0o27, nice: 19 };
  const { lines, exit } = await runConfined(user, script, more);
  expect(exit).toEqual({ kind: "exited", code: 0 });
  expect(lines).toEqual(["8", "9", "0", "0027", "19", "300"]);
});

test.runIf(canConfine)("a device is written only if it was given", async () => {
  const [user] = users;
  const { workspace } = await openPlaces(user);
  const script = `for device in null zero full; do $ATTEMPT write /dev/$device; done; $ATTEMPT terminal`;
  const confinement = { write: [workspace, "/dev/null"], hide: [], show: [] };
  const { lines } = await runConfined(user, script, { cwd: workspace, confinement });
  expect(lines).toEqual(["write ok", "write EACCES", "write EACCES", "terminal EACCES"]);
});
