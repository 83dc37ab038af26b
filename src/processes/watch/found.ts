// Something that watches have found: what is counted, what may be pushed, and what moves on with it in one commit.
import type { NewNotice, StoredHits } from "../../store/index.ts";
import type { LaneBatch, LaneKey } from "./output-lanes.ts";
import { nothingHeld, type Held } from "./push-policy.ts";
import type { Standing } from "./standing.ts";
import type { Batch, Gap } from "./worker-messages.ts";

export interface Found {
  readonly hits: readonly StoredHits[];
  /** Pushed within the limits. */
  readonly matches: Held;
  /** Told as they are. */
  readonly notices: readonly NewNotice[];
  readonly gaps: readonly Gap[];
  /** Watches that are over with it. */
  readonly ended: readonly string[];
  readonly move: (standing: Standing) => Standing;
}

export const nothingFound: Found = {
  hits: [],
  matches: nothingHeld,
  notices: [],
  gaps: [],
  ended: [],
  move: (standing) => standing,
};

export function foundInBatch({ key, batch }: LaneBatch): Found {
  const hits = batch.hits.map(({ watch, count, lastOffset, segments }) => {
    return { watch, count, offset: lastOffset, segments };
  });
  const matches = {
    // A line that several watches look for is one match for whoever is told.
    count: hits.reduce((sum, { count }) => sum + count, 0),
    watches: Object.fromEntries(hits.map(({ watch, count }) => [watch, count])),
    lines: [...batch.lines],
  };
  return {
    ...nothingFound,
    hits,
    matches,
    gaps: batch.gaps,
    move: (standing) => moved(standing, key, batch),
  };
}

function moved(standing: Standing, key: LaneKey, { state, isLast }: Batch): Standing {
  if (key === null) return { ...standing, scan: state };
  const others = standing.catchUps.filter(({ watch }) => watch !== key);
  const own = standing.catchUps.find(({ watch }) => watch === key);
  if (own === undefined || isLast) return { ...standing, catchUps: others };
  return { ...standing, catchUps: [...others, { ...own, scan: state }] };
}

/** One hit that is no line of the output. */
export function foundOnce(watch: string, line: string, move: Found["move"]): Found {
  return {
    ...nothingFound,
    hits: [{ watch, count: 1, offset: null, segments: [] }],
    matches: {
      count: 1,
      watches: { [watch]: 1 },
      lines: [{ offset: null, stream: null, line, watches: [watch] }],
    },
    move,
  };
}
