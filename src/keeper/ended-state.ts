// The state of an ended run that nobody keeps any more, from its directory.
import type { ExitRecord } from "../protocol/exit.ts";
import type { KeeperState } from "./keeper-state.ts";
import { listSegments, segmentEnd } from "./segments.ts";
import { readSpec } from "./spec-file.ts";

export async function endedState(directory: string, exit: ExitRecord): Promise<KeeperState> {
  const [spec, segments] = await Promise.all([readSpec(directory), listSegments(directory)]);
  const [head, firstTail] = segments;
  const last = segments.at(-1);
  const headEnd = head === undefined ? 0 : segmentEnd(head);
  const firstTailOffset = firstTail?.firstOffset ?? headEnd;
  return {
    state: "ended",
    pid: spec.childPid,
    startTime: spec.childStart,
    stdin: "closed",
    outputBytes: Math.max(exit.outputBytes, last === undefined ? 0 : segmentEnd(last)),
    firstTailOffset,
    droppedBytes: firstTailOffset - headEnd,
    gapBytes: exit.gapBytes,
    columns: spec.columns,
    rows: spec.rows,
    descendants: 0,
    isOutputClosed: true,
    exit,
  };
}
