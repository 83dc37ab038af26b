import { hasNoRun, outputSource, runSearch } from "../processes/index.ts";
import { HoldfastError } from "../protocol/errors.ts";
import type { SearchOutput } from "../protocol/search.ts";
import type { Redactor } from "../redaction/index.ts";
import type { Handler } from "./context.ts";

export const processSearch: Handler<"process.search"> = async (
  { processes, redactor },
  { input, caller, signal },
) => {
  const { id: reference, ...request } = input;
  const record = await processes.registry.find(reference);
  const { id } = record;
  if (record.outputRemoved) {
    throw new HoldfastError("OUTPUT_TRIMMED", `The output of ${id} was removed by retention.`, {
      hint: "Nothing of it is left to read; retention.ageMs, .maxEnded and .maxDiskBytes say how long output is kept.",
      details: { firstOffset: record.outputBytes },
    });
  }
  if (await hasNoRun(processes, record)) return { id, matches: [], next: null, omitted: [] };
  const { directory, startedAtMs } = await outputSource(processes, record);
  const found = await runSearch({ ...request, directory, startedAtMs }, signal);
  // What a session reads goes to a model.
  return { id, ...(caller.session === undefined ? found : redactMatches(found, redactor)) };
};

function redactMatches<Found extends Pick<SearchOutput, "matches">>(found: Found, redactor: Redactor): Found {
  const matches = found.matches.map(({ offset, matchOffset, at, line, before, after }) => {
    // As one text: a key of several lines is recognised only whole.
    const clean = redactor.pieces(
      [...before, line, ...after].map((text) => `${text}\n`),
      { startsInside: true, endsInside: true },
    );
    const lines = clean.map((text) => text.replace(/\n$/, ""));
    return {
      offset,
      matchOffset,
      at,
      before: lines.slice(0, before.length),
      line: lines[before.length] ?? "",
      after: lines.slice(before.length + 1),
    };
  });
  return { ...found, matches };
}
