// Notes for a daemon that is about to get SIGTERM: that it is replaced, or stopped on purpose. It reads them when the signal comes; with
// none that names it, the signal is one nobody announced.
import { readFileSync, realpathSync, rmSync } from "node:fs";
import { uptime } from "node:os";
import { isSameProcess } from "./record.ts";
import { identityOf, type SharedIdentity } from "../util/process-identity.ts";
import { writeJsonFile } from "./atomic-file.ts";
import { homeFiles } from "./files.ts";

export type MarkerKind = "takeover" | "plannedStop";

/** What the one that leaves a marker wants. */
export interface MarkerWish {
  /** How long waits may go on before the daemon goes; default: what is configured, and none for a takeover. */
  readonly drainMs?: number;
  /** It shall ask its service manager to start it again. */
  readonly restart?: boolean;
}

export interface Marker extends MarkerWish {
  readonly kind: MarkerKind;
  /** Who wrote it. */
  readonly byPid: number;
}

interface StoredMarker extends Omit<Marker, "kind"> {
  readonly target: SharedIdentity;
  readonly home: string;
  /** Time since boot, which nobody can set: the wall clock may jump between the writing and the reading. */
  readonly writtenAtUptimeMs: number;
  /** For people. */
  readonly writtenAt: string;
}

/** Milliseconds since boot, sleep included. */
export type UptimeClock = () => number;

export const markerLifeMs = 60_000;

// A takeover says more: where both name the daemon, it has a successor.
const kinds: readonly MarkerKind[] = ["takeover", "plannedStop"];

const systemUptimeMs: UptimeClock = () => Math.round(uptime() * 1_000);

export interface MarkerOptions extends MarkerWish {
  readonly home: string;
  readonly target: SharedIdentity;
}

/** Takes the place of an earlier one. @throws what the file system says: full, read-only, not ours */
export function leaveMarker(
  kind: MarkerKind,
  { home, target, ...wish }: MarkerOptions,
  uptimeMs: UptimeClock = systemUptimeMs,
): void {
  const { pid, startTime, bootId, pidNamespace } = target;
  const marker: StoredMarker = {
    target: { pid, startTime, bootId, pidNamespace },
    home: realpathSync(home),
    byPid: process.pid,
    writtenAtUptimeMs: uptimeMs(),
    writtenAt: new Date().toISOString(),
    ...wish,
  };
  writeJsonFile(homeFiles(home)[kind], marker);
}

/** Takes back a marker of this process; another's stays. */
export function withdrawMarker(kind: MarkerKind, home: string): void {
  const path = homeFiles(home)[kind];
  if (readMarker(path)?.byPid === process.pid) removeQuietly(path);
}

/**
 * The marker that names this process, once: whatever is found is removed. One for another process, another boot or another home, one
 * older than a minute, one from the future and one that cannot be read count as none.
 */
export function consumeMarker(home: string, uptimeMs: UptimeClock = systemUptimeMs): Marker | undefined {
  const self = identityOf(process.pid) ?? { pid: process.pid, startTime: 0, bootId: "", pidNamespace: "" };
  const found = kinds.map((kind) => {
    const path = homeFiles(home)[kind];
    const marker = readMarker(path);
    removeQuietly(path);
    if (marker === undefined || !isFor(marker, self, home, uptimeMs())) return undefined;
    const { byPid, drainMs, restart } = marker;
    return {
      kind,
      byPid,
      ...(drainMs === undefined ? {} : { drainMs }),
      ...(restart === undefined ? {} : { restart }),
    };
  });
  return found.find((marker) => marker !== undefined);
}

function isFor(marker: StoredMarker, self: SharedIdentity, home: string, nowMs: number): boolean {
  const ageMs = nowMs - marker.writtenAtUptimeMs;
  if (ageMs < 0 || ageMs > markerLifeMs) return false;
  return isSameProcess(marker.target, self) && marker.home === realpathSync(home);
}

/** By hand, not by a schema: the command line reads markers too, and would have to load a validator for it. */
function readMarker(path: string): StoredMarker | undefined {
  try {
    const value = JSON.parse(readFileSync(path, "utf8")) as Partial<StoredMarker> | null; // every field is looked at below
    const { target, home, byPid, writtenAtUptimeMs, writtenAt, drainMs, restart } = value ?? {};
    if (!isIdentity(target) || typeof home !== "string" || !isCount(byPid) || !isCount(writtenAtUptimeMs))
      return undefined;
    if (drainMs !== undefined && !isCount(drainMs)) return undefined;
    return {
      target,
      home,
      byPid,
      writtenAtUptimeMs,
      writtenAt: String(writtenAt),
      ...(drainMs === undefined ? {} : { drainMs }),
      ...(restart === true ? { restart } : {}),
    };
  } catch {
    return undefined; // missing, empty, half-written or garbage
  }
}

function isIdentity(value: unknown): value is SharedIdentity {
  if (typeof value !== "object" || value === null) return false;
  const { pid, startTime, bootId, pidNamespace } = value as Partial<SharedIdentity>; // as above
  return isCount(pid) && isCount(startTime) && typeof bootId === "string" && typeof pidNamespace === "string";
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A home that became read-only keeps it; its age makes it worthless.
  }
}
