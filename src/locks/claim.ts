// What is written about one holding of a lock. A claim is complete before anybody can see it and never changes; what its owner
// says later stands beside it.
import type { LockOwner } from "../protocol/locks.ts";
import { metaProblem } from "../protocol/lock-limits.ts";

export type Meta = Readonly<Record<string, string>>;

export interface Claim {
  readonly owner: LockOwner;
  readonly meta: Meta;
  /** ISO, UTC: for people. No decision rests on a clock. */
  readonly acquiredAt: string;
}

/** The part that its owner may change. */
export interface ClaimUpdate {
  readonly meta: Meta;
  readonly updatedAt: string;
}

const format = 1;
/** Far more than the largest claim: what is longer is none. */
export const mostRecordBytes = 256 * 1024;

export function renderClaim(claim: Claim): string {
  return `${JSON.stringify({ format, ...claim })}\n`;
}

export function renderUpdate(update: ClaimUpdate): string {
  return `${JSON.stringify({ format, ...update })}\n`;
}

/** newer: of a release that writes more than this one understands, so nothing may be concluded. Undefined: it names nobody. */
export function parseClaim(text: string): Claim | "newer" | undefined {
  const fields = parseObject(text);
  if (isNewer(fields)) return "newer";
  const owner = parseOwner(fields["owner"]);
  const acquiredAt = parseTime(fields["acquiredAt"]);
  if (owner === undefined || acquiredAt === undefined) return undefined;
  return { owner, acquiredAt, meta: parseMeta(fields["meta"]) };
}

/** Undefined: the claim's own meta holds. */
export function parseUpdate(text: string): ClaimUpdate | undefined {
  const { updatedAt: time, meta } = parseObject(text);
  const updatedAt = parseTime(time);
  return updatedAt === undefined ? undefined : { updatedAt, meta: parseMeta(meta) };
}

function isNewer(fields: Readonly<Record<string, unknown>>): boolean {
  return typeof fields["format"] === "number" && fields["format"] > format;
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {}; // empty, half-written, or somebody else's
  }
}

function parseOwner(value: unknown): LockOwner | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { pid, startTime, bootId, pidNamespace, command } = value as Partial<
    Record<keyof LockOwner, unknown>
  >; // each is looked at below
  if (!isWhole(pid) || pid < 1 || !isWhole(startTime)) return undefined;
  if (typeof bootId !== "string" || typeof pidNamespace !== "string") return undefined;
  return { pid, startTime, bootId, pidNamespace, command: typeof command === "string" ? command : null };
}

function isWhole(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function parseTime(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

function parseMeta(value: unknown): Meta {
  if (typeof value !== "object" || value === null) return {};
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  const meta = Object.fromEntries(entries);
  return metaProblem(meta) === undefined ? meta : {};
}
