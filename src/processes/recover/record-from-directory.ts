// A row made again from what the run directory remembers.
import { readRunDirectory } from "../../keeper/index.ts";
import { startInputSchema } from "../../protocol/process.ts";
import { withoutEnvironmentValues, type ProcessRecord } from "../../store/index.ts";
import { directoryOf, type ProcessContext } from "../context.ts";
import { newRecord } from "../new-record.ts";
import { readNote } from "../start/note.ts";
import { quoteWord } from "../start/resolve-command.ts";
import { readRunName } from "./run-name.ts";

export async function recordFromDirectory(context: ProcessContext, id: string): Promise<ProcessRecord> {
  const { spec } = await readRunDirectory(directoryOf(context, id));
  const note = readNote(spec.note);
  const input = startInputSchema.parse({
    command: [...spec.argv],
    mode: spec.mode === "split" ? "pipe" : spec.mode,
    limits: note?.limits ?? {},
    watches: note?.watches ?? [],
    progress: note?.progress,
    confine: note?.confine,
  });
  const renamed = await readRunName(directoryOf(context, id));
  const name = renamed === undefined ? (note?.name ?? null) : renamed;
  return newRecord({
    id,
    // Two directories may remember the same name: only one of them can have it.
    name: name !== null && context.registry.liveByName(name) === undefined ? name : null,
    command: note?.command ?? spec.argv.map(quoteWord).join(" "),
    argv: spec.argv,
    cwd: spec.cwd,
    mode: input.mode,
    spec: withoutEnvironmentValues(input),
    session: note?.session ?? null,
    task: note?.task ?? null,
    profile: note?.profile ?? context.config().profile,
    origin: note?.origin ?? null,
    labels: note?.labels ?? {},
    lifetime: note?.lifetime ?? "detached",
    idempotencyKey: note?.idempotencyKey ?? null,
    createdAt: note?.createdAt ?? spec.startedAt,
    kind: note?.kind ?? "process",
    notify: note?.notify ?? "off",
  });
}
