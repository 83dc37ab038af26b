// Reads asciicast v3: a header line, then one line per event with the time since the one before. Lines that cannot be read
// are passed over: a recording that was cut off still plays.

export type CastEvent =
  /** `at`: seconds since the beginning. */
  | { readonly kind: "output"; readonly at: number; readonly text: string }
  | { readonly kind: "resize"; readonly at: number; readonly columns: number; readonly rows: number }
  | { readonly kind: "exit"; readonly at: number; readonly status: string };

export interface Cast {
  readonly columns: number;
  readonly rows: number;
  readonly events: readonly CastEvent[];
  /** Seconds. */
  readonly duration: number;
}

const defaultColumns = 80;
const defaultRows = 24;
// On one character: more than any script needs, and a browser draws them ever more slowly.
const longMarks = /(\p{M}{16})\p{M}+/gu;

/** Sums and sliders are off by the last digit of a number: the same moment is the same number here. */
export function toMicroseconds(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}

/** @throws Error when it is no recording at all */
export function readCast(text: string): Cast {
  const [header = "", ...lines] = text.split("\n");
  const { version, term } = (parse(header) ?? {}) as {
    version?: unknown;
    term?: { cols?: unknown; rows?: unknown };
  };
  if (version !== 3) throw new Error("this is not an asciicast v3 recording");
  const events: CastEvent[] = [];
  let at = 0;
  for (const line of lines) {
    const [interval, code, data] = line.startsWith("[") ? ((parse(line) ?? []) as unknown[]) : [];
    if (typeof interval !== "number" || typeof data !== "string") continue;
    at = toMicroseconds(at + Math.max(0, interval));
    const event = readEvent(code, data, at);
    if (event !== undefined) events.push(event);
  }
  return {
    columns: sizeOr(term?.cols, defaultColumns),
    rows: sizeOr(term?.rows, defaultRows),
    events,
    duration: at,
  };
}

function readEvent(code: unknown, data: string, at: number): CastEvent | undefined {
  if (code === "o") return { kind: "output", at, text: data.replaceAll(longMarks, "$1") };
  if (code === "x") return { kind: "exit", at, status: data };
  const size = code === "r" ? /^(\d+)x(\d+)$/.exec(data) : null;
  if (size === null) return undefined;
  return {
    kind: "resize",
    at,
    columns: sizeOr(Number(size[1]), defaultColumns),
    rows: sizeOr(Number(size[2]), defaultRows),
  };
}

function sizeOr(value: unknown, otherwise: number): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 1000
    ? value
    : otherwise;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // cut off, or not ours
  }
}

/** The first event after a time: everything before it has happened then. */
export function indexAfter(events: readonly CastEvent[], at: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.at ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
