import { Command, Option } from "commander";
import type { Share } from "../../protocol/shares.ts";
import type { Cli } from "../context.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";
import { given } from "../parse/given.ts";

interface Options extends JsonOption {
  readonly session?: string;
  readonly right: "none" | "read" | "control";
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Let another session see or control a process, or no longer.")
    .argument("<id>", processArgument)
    .option("--session <key>", "with whom; default: every session")
    .addOption(
      new Option(
        "--right <right>",
        "read: see it and wait for it; control: also type, signal, stop, rename, remove, watch; none: no longer",
      )
        .choices(["none", "read", "control"])
        .default("read"),
    );
  return withJson(command).action(async (id: string, { session, right, json }: Options) => {
    const client = await cli.client();
    const answer = await client.process.share({ id, right, ...given({ session }) });
    if (json === true) cli.printJson(answer);
    else cli.print(`${answer.id}: ${sharesText(answer.shares) ?? "shared with nobody"}`);
  });
}

/** Undefined for nobody. */
export function sharesText(shares: readonly Share[]): string | undefined {
  if (shares.length === 0) return undefined;
  return shares.map(({ session, right }) => `${right} for ${session ?? "every session"}`).join(", ");
}
