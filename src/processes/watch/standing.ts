// How the watches of a process stand, as the store keeps it between two daemons.
import { z } from "zod";
import { newPushState, type PushState } from "./push-policy.ts";
import type { ScanState } from "./scan-state.ts";
import type { Gap } from "./worker-messages.ts";

const count = z.int().nonnegative();

const placeSchema = z.object({
  at: count,
  overlap: count,
  counted: z.array(z.string()),
  before: z.array(z.string()),
});

export const scanStateSchema: z.ZodType<ScanState> = z.object({
  stdout: placeSchema,
  stderr: placeSchema,
  rates: z.record(z.string(), z.object({ part: z.int(), amounts: z.array(z.number()), isOver: z.boolean() })),
});

export const pushStateSchema: z.ZodType<PushState> = z.object({
  pushes: count,
  windowEndsAt: z.int().nullable(),
  hasHeld: z.boolean(),
  strikes: count,
  isOff: z.boolean(),
  held: z.object({
    count,
    watches: z.record(z.string(), count),
    lines: z.array(
      z.object({
        offset: count.nullable(),
        stream: z.enum(["stdout", "stderr"]).nullable(),
        line: z.string(),
        watches: z.array(z.string()),
      }),
    ),
  }),
  blocked: count,
});

const standingSchema = z.object({
  /** Of the scan for all watches on output; null while there is none. */
  scan: scanStateSchema.nullable().default(null),
  /** Watches that were added for output from before: each is read for alone, up to where the others look for it too. */
  catchUps: z.array(z.object({ watch: z.string(), until: count, scan: scanStateSchema })).default([]),
  push: pushStateSchema.default(newPushState),
  /** By watch: the time of the last byte before the silence that was told. */
  silences: z.record(z.string(), z.number()).default({}),
  /** How often a wait for input was told; when the last time, and where the output ended then. */
  input: z.object({ told: count, toldAt: z.number(), offset: count }).nullable().default(null),
});
export type Standing = z.infer<typeof standingSchema>;

export function readStanding(text: string | undefined): Standing {
  return standingSchema.parse(text === undefined ? {} : JSON.parse(text));
}

export const gapsSchema = z.array(z.object({ from: count, to: count }));

// A child that is faster than the matcher for hours leaves many; what stands close together is told as one.
const mostGaps = 100;

export function addGaps(before: readonly Gap[], more: readonly Gap[]): Gap[] {
  const merged: Gap[] = [];
  for (const gap of [...before, ...more].toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last === undefined || gap.from > last.to) merged.push(gap);
    else merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, gap.to) };
  }
  while (merged.length > mostGaps) merged.splice(closest(merged), 2, joined(merged, closest(merged)));
  return merged;
}

/** Index of the gap that is nearest to the next one. */
function closest(gaps: readonly Gap[]): number {
  const spaces = gaps.slice(1).map((gap, index) => gap.from - (gaps[index]?.to ?? 0));
  return spaces.indexOf(Math.min(...spaces));
}

function joined(gaps: readonly Gap[], index: number): Gap {
  return { from: gaps[index]?.from ?? 0, to: gaps[index + 1]?.to ?? 0 };
}
