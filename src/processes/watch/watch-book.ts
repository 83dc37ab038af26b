// What is known of the watches of a process: which there are, how they stand, and what they could not look at.
import type { WatchProgress, WatchRecord } from "../../store/index.ts";
import { resumeAt, scanFrom } from "./scan-state.ts";
import type { Standing } from "./standing.ts";
import type { Gap } from "./worker-messages.ts";

export interface WatchBook {
  /** Those that are not over. */
  readonly watches: readonly WatchRecord[];
  readonly standing: Standing;
  readonly gaps: readonly Gap[];
}

/** Where what has not been looked at for all of them begins. */
export function restFrom({ standing }: WatchBook): number {
  const scans = [standing.scan, ...standing.catchUps.map(({ scan }) => scan)];
  const places = scans.flatMap((scan) => (scan === null ? [] : [resumeAt(scan)]));
  return places.length === 0 ? 0 : Math.min(...places);
}

export function progressOf(book: WatchBook): WatchProgress {
  const { standing, gaps } = book;
  return {
    resumeAt: restFrom(book),
    push: JSON.stringify(standing),
    gaps: JSON.stringify(gaps),
  };
}

function readsOutput({ spec }: WatchRecord): boolean {
  return spec.kind === "text" || spec.kind === "regex" || spec.kind === "rate";
}

function chosenOffset({ spec }: WatchRecord, end: number): number {
  if (!("from" in spec)) return end;
  if (spec.from === "now") return end;
  return spec.from === "start" ? 0 : spec.from;
}

/**
 * With one more, which looks from where its caller chose. What lies before the end is read for it alone, so that the
 * others are not read for twice; from the end on it is looked for with them.
 * @param end of the output as it is now
 */
export function withWatch(book: WatchBook, watch: WatchRecord, end: number): WatchBook {
  const { standing } = book;
  if (!readsOutput(watch)) return { ...book, watches: [...book.watches, watch] };
  const from = chosenOffset(watch, end);
  if (standing.scan === null) {
    const first = { ...watch, fromOffset: from };
    const scan = scanFrom(Math.min(from, end));
    return { ...book, watches: [...book.watches, first], standing: { ...standing, scan } };
  }
  const added = { ...watch, fromOffset: Math.max(from, end) };
  const catchUp = { watch: watch.id, until: end, scan: scanFrom(from) };
  const catchUps = from < end ? [...standing.catchUps, catchUp] : standing.catchUps;
  return { ...book, watches: [...book.watches, added], standing: { ...standing, catchUps } };
}

export function withoutWatches(book: WatchBook, ids: readonly string[]): WatchBook {
  if (ids.length === 0) return book;
  const watches = book.watches.filter(({ id }) => !ids.includes(id));
  const { standing } = book;
  const catchUps = standing.catchUps.filter(({ watch }) => !ids.includes(watch));
  const scan = watches.some(readsOutput) ? standing.scan : null;
  return { ...book, watches, standing: { ...standing, catchUps, scan } };
}

/** Watches that came with the start see its first byte. */
export function beginning(book: WatchBook): WatchBook {
  const { standing, watches } = book;
  if (standing.scan !== null || !watches.some(readsOutput)) return book;
  return { ...book, standing: { ...standing, scan: scanFrom(0) } };
}
