// What became of each notice that was to be settled.
import { errorRegistry } from "../protocol/errors.ts";
import type { OperationOutput } from "../protocol/operations.ts";
import type { Cli } from "./context.ts";

type Settled = OperationOutput<"notifications.acknowledge">["results"][number];

const otherwise: Readonly<Record<Exclude<Settled["outcome"], "done">, string>> = {
  already: "was settled before",
  lost: "is not this consumer's: its lease ran out, or another one has it",
  not_found: "is not known",
};

/** One that is unknown or somebody else's makes the command fail, after all others are done. */
export function tellSettlements(
  cli: Cli,
  results: readonly Settled[],
  options: { readonly json: boolean; readonly done: string },
): void {
  if (options.json) cli.printJson(results);
  for (const { id, outcome } of results) {
    if (outcome === "not_found") cli.exitCode = errorRegistry.NOTICE_NOT_FOUND.exitCode;
    if (outcome === "lost") cli.exitCode = errorRegistry.INVALID_TRANSITION.exitCode;
    if (options.json) continue;
    if (outcome === "done") cli.print(`${id} ${options.done}`);
    else cli.note(`${id} ${otherwise[outcome]}`);
  }
}
