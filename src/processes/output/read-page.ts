// A page of output: as much of a range as its limits allow, cut where no character and no escape is split.
import type { OutputInput } from "../../protocol/output.ts";
import { longestSequence } from "./byte-boundaries.ts";
import { findCut, partsBefore, type Cut, type CutLimits } from "./part-boundaries.ts";
import { ofStream, readRange, type OutputPart, type OutputRange } from "./read-range.ts";

export interface PageRequest {
  readonly directory: string;
  readonly from: number;
  readonly to: number;
  /** A first sequence that is longer than the limit is told whole: whoever pages must get on. */
  readonly limits: CutLimits;
  readonly format: OutputInput["format"];
  /**
   * What may follow `to`. Nothing: the output ends there, whole or not. Stored: it goes on. Coming: perhaps it will, and what is
   * unfinished there waits for its rest.
   */
  readonly after: "nothing" | "stored" | "coming";
}

export interface Page {
  /** Of the stream asked for. */
  readonly parts: readonly OutputPart[];
  readonly next: number;
  readonly missing: OutputRange["missing"];
}

/** @throws HoldfastError OUTPUT_TRIMMED when `from` is not kept */
export async function readPage(request: PageRequest): Promise<Page> {
  const { directory, from, to, limits } = request;
  const mostBytes = Math.max(limits.bytes, longestSequence);
  const range = await readRange(directory, { from, to, mostBytes });
  const next = nextOf(range, findCut(range.parts, limits), request);
  const told = partsBefore(range.parts, next).filter((part) => ofStream(part, limits.stream));
  return { parts: told, next, missing: range.missing.filter((hole) => hole.from < next) };
}

function nextOf(range: OutputRange, cut: Cut, request: PageRequest): number {
  const { to, limits } = request;
  const isAll = !cut.isLimited && range.next >= to;
  let next = isAll ? endOf(range, cut, request) : (cut.at ?? offsetAfter(range, limits.bytes));
  for (const hole of range.missing) if (hole.from === next) next = hole.to;
  return next;
}

/** Where a page ends that has everything up to `to`. */
function endOf(range: OutputRange, { at }: Cut, { from, format, after, limits }: PageRequest): number {
  // Bytes are bytes: whoever wants them raw must not wait for the rest of what only looks like a character.
  if (after === "nothing" || (after === "coming" && format === "raw")) return range.next;
  const safe = at ?? (after === "coming" ? from : range.next);
  const rest = range.parts.filter(
    (part) => ofStream(part, limits.stream) && part.offset + part.bytes.length > safe,
  );
  // Where one stream has gone on, it does not wait for the other.
  return new Set(rest.map((part) => part.stream)).size === 1 ? safe : range.next;
}

/** Behind so many bytes of it: a sequence that has no end in sight is cut where the limit is. */
function offsetAfter({ parts, next }: OutputRange, bytes: number): number {
  let left = bytes;
  for (const part of parts) {
    if (left <= part.bytes.length) return part.offset + left;
    left -= part.bytes.length;
  }
  return next;
}
