// The output of a process as it comes, with stream and time, from its keeper or, once it is gone, from the files.
import { readSpec } from "../../keeper/index.ts";
import type { LiveOutput } from "../../protocol/live-output.ts";
import { directoryOf, keptProcess, type ProcessContext } from "../context.ts";
import { outputEnd } from "./find-lines.ts";
import { hasNoRun } from "./has-no-run.ts";

/** Where it ends now. @throws HoldfastError PROCESS_NOT_FOUND, PROCESS_AMBIGUOUS */
export async function liveOutputEnd(context: ProcessContext, reference: string): Promise<number> {
  const record = await context.registry.find(reference);
  return (await hasNoRun(context, record)) ? 0 : await outputEnd(directoryOf(context, record.id));
}

/** Of the process with this id, prefix or name. @throws HoldfastError PROCESS_NOT_FOUND, PROCESS_AMBIGUOUS, OUTPUT_TRIMMED */
export async function* liveOutput(
  context: ProcessContext,
  reference: string,
  options: { readonly from: number | "end"; readonly signal?: AbortSignal },
): AsyncGenerator<LiveOutput, void, undefined> {
  const record = await context.registry.find(reference);
  if (await hasNoRun(context, record)) {
    yield { kind: "end", next: 0 };
    return;
  }
  // The marks tell changes only: whoever draws from the beginning needs the size it began with.
  if (options.from === 0 && record.mode === "pty") {
    const { columns, rows } = await readSpec(directoryOf(context, record.id));
    yield { kind: "resized", offset: 0, columns, rows };
  }
  const kept = keptProcess(context, record.id);
  const startedAt = record.startedAt ?? record.createdAt;
  let stream: "stdout" | "stderr" = "stdout";
  let at = startedAt;
  try {
    const signal =
      options.signal === undefined ? context.signal : AbortSignal.any([context.signal, options.signal]);
    for await (const event of kept.output({ from: options.from, follow: true, marks: true, signal })) {
      switch (event.kind) {
        case "data":
          yield { kind: "data", offset: event.offset, bytes: event.bytes, stream, at };
          break;
        case "mark":
          if (event.mark === "stdout" || event.mark === "stderr") {
            stream = event.mark;
            at = startedAt + event.timeUs / 1000;
          }
          if (event.mark === "resized") {
            yield {
              kind: "resized",
              offset: event.offset,
              columns: event.value >>> 16,
              rows: event.value & 0xffff,
            };
          }
          break;
        case "missing":
          yield event;
          break;
        case "end":
          yield { kind: "end", next: event.nextOffset };
          return;
      }
    }
  } finally {
    kept.close();
  }
}
