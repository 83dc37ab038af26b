// Where drawing begins when a process is followed, and who answers what: from its checkpoint, from its first byte, or a little before its end.
import { readSpec, type KeptProcess } from "../../keeper/index.ts";
import { sizeInForce } from "../../protocol/terminal-size.ts";
import { Answers } from "./answers.ts";
import { readCheckpoint } from "./checkpoint-file.ts";
import type { Followed } from "./messages.ts";
import type { ScreenStart } from "./screen.ts";

export interface Beginning {
  readonly start: ScreenStart;
  readonly resizedUs: number;
  /** The end of the output when we came: what lies before it may have been answered. */
  readonly known: number;
  readonly answers: Answers;
  /** Of the checkpoint that was found. */
  readonly checkpointOffset: number | undefined;
}

// More is not drawn again only because no checkpoint was kept: the end of it shows what there is to see.
const mostRedrawnBytes = 4 * 1_048_576;
const redrawnBytes = 1_048_576;

/** @throws HoldfastError KEEPER_UNREACHABLE, RUN_NOT_FOUND, RUN_DAMAGED */
export async function beginAt({ directory, isNew }: Followed, kept: KeptProcess): Promise<Beginning> {
  const spec = await readSpec(directory);
  const first = { ...sizeInForce(spec), offset: 0 };
  if (isNew) {
    const answers = new Answers(kept);
    return { start: first, resizedUs: -1, known: 0, answers, checkpointOffset: undefined };
  }
  const { outputBytes: known, columns, rows } = await kept.state();
  const checkpoint = await readCheckpoint(directory);
  if (checkpoint !== undefined && checkpoint.offset <= known) {
    const answers = new Answers(kept, checkpoint);
    answers.repeatBefore(known);
    const { resizedUs, offset } = checkpoint;
    return { start: checkpoint, resizedUs, known, answers, checkpointOffset: offset };
  }
  const answers = new Answers(kept);
  answers.muteBefore(known);
  const offset = known > mostRedrawnBytes ? known - redrawnBytes : 0;
  const late = { ...sizeInForce({ columns, rows }, spec), offset, missing: { from: 0, to: offset } };
  return { start: offset === 0 ? first : late, resizedUs: -1, known, answers, checkpointOffset: undefined };
}
