// How a session stands, for people and programs.
import type { SessionView } from "../protocol/sessions.ts";
import type { Cli } from "./context.ts";
import { renderFacts } from "./format/facts.ts";

export function tellSession(cli: Cli, view: SessionView, isJson: boolean): void {
  if (isJson) {
    cli.printJson(view);
    return;
  }
  const facts = [
    ["session", view.session],
    ["busy", view.busy ? `${view.busyBy ?? "somebody"}, until ${view.busyUntil ?? "?"}` : "no"],
    ["resumptions", String(view.resumptions)],
  ] as const;
  cli.print(renderFacts(facts, cli.paint));
}
