// Where the output that can still be read begins.
import { readStoredOutput } from "../../keeper/index.ts";
import { isHoldfastError } from "../../protocol/errors.ts";

/** The end where nothing is kept. @throws HoldfastError RUN_NOT_FOUND */
export async function firstKept(directory: string): Promise<number> {
  for (let from = 0; ;) {
    try {
      // Left at the first event, which closes its files.
      for await (const { kind } of readStoredOutput(directory, { from })) if (kind !== "mark") break;
      return from;
    } catch (error) {
      const next = firstKeptBy(error);
      if (next === undefined || next <= from) throw error;
      from = next;
    }
  }
}

/** The offset that can be read instead; undefined: the error is about something else. */
export function firstKeptBy(error: unknown): number | undefined {
  const first = isHoldfastError(error, "OUTPUT_TRIMMED") ? error.details["firstOffset"] : undefined;
  return typeof first === "number" ? first : undefined;
}
