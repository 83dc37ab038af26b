// One row of the table of verbs.
import type { z } from "zod";
import type { Role } from "./access.ts";

export interface Operation {
  readonly summary: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Changes nothing: may be asked again, and is answered while the store cannot be written. */
  readonly reads: boolean;
  /** The least role that may ask it by the network. */
  readonly role: Role;
}

type Row<Input extends z.ZodType, Output extends z.ZodType> = Operation & {
  readonly input: Input;
  readonly output: Output;
};

/** `role` is given where a verb departs from the rule: reading is for viewers, changing for operators. */
export function operation<Input extends z.ZodType, Output extends z.ZodType>(
  summary: string,
  input: Input,
  output: Output,
  kind: "reads" | "changes",
  role: Role = kind === "reads" ? "viewer" : "operator",
): Row<Input, Output> {
  return { summary, input, output, reads: kind === "reads", role };
}
