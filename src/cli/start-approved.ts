// A start that may have to wait for a person: whoever waits at the command line is told why.
import type { Client } from "../client/index.ts";
import { isHoldfastError } from "../protocol/errors.ts";
import type { OperationInput, OperationOutput } from "../protocol/operations.ts";
import type { Cli } from "./context.ts";

// Somebody who answers at once needs no remark.
const quietMs = 500;

/** Joins the approval that the first try has opened. */
export async function startApproved(
  cli: Cli,
  client: Client,
  input: OperationInput<"process.start">,
): Promise<OperationOutput<"process.start">> {
  try {
    return await client.process.start({ ...input, approvalWaitMs: quietMs });
  } catch (error) {
    if (!isHoldfastError(error, "APPROVAL_PENDING")) throw error;
    const approval = String(error.details["approval"]);
    cli.note(`holdfast: waits for a person: \`holdfast approvals answer ${approval} once\``);
    return await client.process.start(input);
  }
}
