// Where the state of shells waits between commands: a folder in memory, because values of variables are never on a disk, and outside
// the daemon, because it may be killed at any time (docs/decisions/0015-shell-state-in-a-memory-folder.md).
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statfsSync,
  symlinkSync,
} from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";

const memoryFileSystems = new Set([0x01021994, 0x858458f6]); // tmpfs, ramfs

function isInMemory(directory: string): boolean {
  try {
    return memoryFileSystems.has(statfsSync(directory).type);
  } catch {
    return false; // not there
  }
}

/** Mine alone: where everybody may write, somebody else may have made it first. */
function isMine(directory: string, uid: number): boolean {
  const found = lstatSync(directory);
  return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0;
}

function makeMine(directory: string, uid: number): boolean {
  try {
    mkdirSync(directory, { mode: 0o700, recursive: true });
    return isMine(directory, uid);
  } catch {
    return false; // not ours to write to
  }
}

/** Of homes that are no more. */
function removeLeft(base: string): void {
  for (const name of readdirSync(base)) {
    try {
      if (!existsSync(readlinkSync(join(base, name, "home")))) rmSync(join(base, name), { recursive: true });
    } catch {
      // being made or removed by another daemon this moment
    }
  }
}

interface Candidate {
  readonly base: string;
  readonly place: string;
}

function candidatesFor(home: string, environment: NodeJS.ProcessEnv, uid: number): Candidate[] {
  const hash = createHash("sha256").update(home).digest("hex").slice(0, 16);
  return [environment["XDG_RUNTIME_DIR"], `/run/user/${uid}`, "/dev/shm"]
    .filter((directory) => directory !== undefined && directory !== "" && isInMemory(directory))
    .map((directory) => join(directory ?? "", `holdfast-${uid}`))
    .map((base) => ({ base, place: join(base, hash) }));
}

/** The folder of this home, if there is one. */
export function findMemoryPlace(home: string, environment: NodeJS.ProcessEnv): string | undefined {
  const { uid } = userInfo();
  const candidates = candidatesFor(realpathSync(home), environment, uid);
  return candidates.find(({ place }) => existsSync(place) && isMine(place, uid))?.place;
}

/** Undefined where this machine has no memory file system we may use. */
export function makeMemoryPlace(home: string, environment: NodeJS.ProcessEnv): string | undefined {
  const { uid } = userInfo();
  const path = realpathSync(home);
  for (const { base, place } of candidatesFor(path, environment, uid)) {
    if (!makeMine(base, uid) || !makeMine(place, uid)) continue;
    if (!existsSync(join(place, "home"))) symlinkSync(path, join(place, "home"));
    removeLeft(base);
    return place;
  }
  return undefined;
}

export function removeMemoryPlace(place: string): void {
  rmSync(place, { recursive: true, force: true });
  try {
    rmdirSync(dirname(place));
  } catch {
    // another home's is there too
  }
}
