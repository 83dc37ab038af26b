// One row of the table of verbs.
import type { z } from "zod";

export interface Operation {
  readonly summary: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Changes nothing: may be asked again, and is answered while the store cannot be written. */
  readonly reads: boolean;
}

export function operation<Input extends z.ZodType, Output extends z.ZodType>(
  summary: string,
  input: Input,
  output: Output,
  kind: "reads" | "changes",
): { readonly summary: string; readonly input: Input; readonly output: Output; readonly reads: boolean } {
  return { summary, input, output, reads: kind === "reads" };
}
