import { Command } from "commander";
import type { SessionDetail } from "../../protocol/sessions.ts";
import type { Cli } from "../context.ts";
import { renderFacts } from "../format/facts.ts";
import { withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Show everything about one session: who is there, what runs, what its shell remembers.")
    .argument("<session>", "the key of the session");
  return withJson(command).action(async (session: string, { json }: JsonOption) => {
    const client = await cli.client();
    const detail = await client.session.get({ session });
    if (json === true) cli.printJson(detail);
    else cli.print(renderFacts(factsOf(detail), cli.paint));
  });
}

function factsOf(detail: SessionDetail): (readonly [string, string])[] {
  const { shell } = detail;
  return [
    ["session", detail.session],
    ["active", detail.activeAt],
    ["ends", detail.endsAt ?? "not by itself now"],
    ["busy", detail.busy ? `${detail.busyBy ?? "somebody"}, until ${detail.busyUntil ?? "?"}` : "no"],
    ["resumptions", String(detail.resumptions)],
    ["running", `${detail.running}, of which ${detail.endWithIt} end with it`],
    ["directory", shell?.cwd ?? "-"],
    ["set", shell === null || shell.set.length === 0 ? "-" : shell.set.join(" ")],
    ["unset", shell === null || shell.unset.length === 0 ? "-" : shell.unset.join(" ")],
  ];
}
