// What is in the directory of one lock, without touching it.
import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { LockOwner, LockState } from "../protocol/locks.ts";
import { mostRecordBytes, parseClaim, parseUpdate, type Meta } from "./claim.ts";
import { claimName, nonceOfClaim, updateName } from "./file-names.ts";
import { stateOf } from "./owner.ts";
import { errnoOf, isErrno, systemError } from "./system-error.ts";

export interface FoundClaim {
  readonly nonce: string;
  readonly owner: LockOwner | null;
  readonly state: LockState;
  readonly meta: Meta;
  readonly acquiredAt: string | null;
  readonly updatedAt: string | null;
}

export interface FoundLock {
  readonly claims: readonly FoundClaim[];
  /** Names of what belongs to no claim and only stands in the way. */
  readonly litter: readonly string[];
  /** Something else stands where the directory should be. */
  readonly isObstructed: boolean;
}

const nothing: FoundLock = { claims: [], litter: [], isObstructed: false };
// A claim that is gone between listing and reading means that somebody else got further.
const mostLooks = 1_000;

/** @throws HoldfastError SYSTEM_ERROR */
export async function readLock(path: string): Promise<FoundLock> {
  for (let look = 0; look < mostLooks; look++) {
    const found = await lookOnce(path);
    if (found !== undefined) return found;
  }
  throw systemError(new Error("it changes faster than it can be read"), path);
}

/** Undefined when it changed meanwhile. */
async function lookOnce(path: string): Promise<FoundLock | undefined> {
  const names = await namesIn(path);
  if (names === undefined) return nothing;
  if (names === "obstructed") return { ...nothing, isObstructed: true };
  const nonces = names.map(nonceOfClaim).filter((nonce) => nonce !== undefined);
  const kept = new Set(nonces.flatMap((nonce) => [claimName(nonce), updateName(nonce)]));
  const claims: FoundClaim[] = [];
  for (const nonce of nonces) {
    const claim = await readClaim(path, nonce);
    if (claim === undefined) return undefined;
    claims.push(claim);
  }
  return { claims, litter: names.filter((name) => !kept.has(name)), isObstructed: false };
}

async function namesIn(path: string): Promise<string[] | "obstructed" | undefined> {
  try {
    // readdir would follow a link.
    return (await lstat(path)).isDirectory() ? await readdir(path) : "obstructed";
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    if (isErrno(error, "ENOTDIR")) return "obstructed";
    throw systemError(error, path);
  }
}

/** Undefined when it is gone. */
async function readClaim(path: string, nonce: string): Promise<FoundClaim | undefined> {
  const empty = { nonce, owner: null, meta: {}, acquiredAt: null, updatedAt: null };
  const text = await readRecord(join(path, claimName(nonce)));
  if (text.kind === "missing") return undefined;
  if (text.kind === "unreadable") return { ...empty, state: "unknown" };
  const claim = parseClaim(text.text);
  if (claim === "newer") return { ...empty, state: "unknown" };
  if (claim === undefined) return { ...empty, state: "damaged" };
  const { owner, acquiredAt } = claim;
  const later = await readRecord(join(path, updateName(nonce)));
  const update = later.kind === "text" ? parseUpdate(later.text) : undefined;
  const { meta, updatedAt } = update ?? { meta: claim.meta, updatedAt: acquiredAt };
  return { nonce, owner, state: stateOf(owner), meta, acquiredAt, updatedAt };
}

type RecordText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable" };

/** What is no small file is read as an empty one. Unreadable proves nothing about who wrote it. */
async function readRecord(path: string): Promise<RecordText> {
  try {
    // Not waiting: a FIFO in this place would never open.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      const isRecord = found.isFile() && found.size <= mostRecordBytes;
      return { kind: "text", text: isRecord ? await file.readFile("utf8") : "" };
    } finally {
      await file.close();
    }
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT") return { kind: "missing" };
    return errno === "ELOOP" || errno === "ENXIO" ? { kind: "text", text: "" } : { kind: "unreadable" };
  }
}
