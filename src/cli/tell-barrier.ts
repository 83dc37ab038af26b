// Whether a session has to wait, for people and programs.
import type { BarrierView } from "../protocol/sessions.ts";
import type { Cli } from "./context.ts";
import { safeText } from "./format/safe-text.ts";

export function tellBarrier(cli: Cli, view: BarrierView, isJson: boolean): void {
  if (isJson) cli.printJson(view);
  else cli.print(safeText(`${view.waiting ? "waiting" : "go on"}: ${view.reason}`));
}
