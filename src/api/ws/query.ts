// What every WebSocket route does before it serves.
import type { z } from "zod";
import { HoldfastError } from "../../protocol/errors.ts";

/** @throws HoldfastError INVALID_ARGUMENT, naming each field */
export function readQuery<Schema extends z.ZodType>(schema: Schema, query: unknown): z.output<Schema> {
  const read = schema.safeParse(query);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  const text = problems.map(({ path, message }) => `${path || "query"}: ${message}`).join("; ");
  throw new HoldfastError("INVALID_ARGUMENT", text, { details: { problems } });
}

/** @throws HoldfastError NOT_FOUND: the address is there, for a WebSocket only */
export function refuseWithoutUpgrade(): never {
  throw new HoldfastError("NOT_FOUND", "this address speaks WebSocket only", {
    hint: "Connect to it with a WebSocket client.",
  });
}
