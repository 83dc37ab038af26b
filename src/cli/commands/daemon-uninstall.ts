import { Command } from "commander";
import {
  isManagerRunning,
  removeUnit,
  runCommand,
  unitCommands,
  type UnitPlan,
} from "../../supervision/index.ts";
import type { Cli } from "../context.ts";
import { safeText } from "../format/safe-text.ts";
import { withJson, type JsonOption } from "../options.ts";
import { planFrom, withUnitOptions, type UnitOptions } from "../unit-options.ts";

interface Options extends UnitOptions, JsonOption {}

export function define(cli: Cli): Command {
  const command = withUnitOptions(
    new Command().description(
      "Take the daemon of this home from its service manager: stop it there and remove the unit. Processes go on.",
    ),
  );
  return withJson(command).action(async (options: Options) => {
    const plan = await planFrom(cli, options);
    const isDry = options.dryRun === true;
    // Before anything is stopped: a unit that is not ours stays untouched.
    const { action } = removeUnit(plan, { write: false });
    const isRunning = isManagerRunning(plan, cli.environment);
    if (action === "removed" && !isDry) await remove(cli, plan, isRunning);
    if (options.json === true)
      cli.printJson({ action, file: plan.file, name: plan.name, managerRunning: isRunning });
    else cli.print(safeText(told(plan, action, isDry)));
  });
}

async function remove(cli: Cli, plan: UnitPlan, isRunning: boolean): Promise<void> {
  const { disable, forget } = unitCommands(plan);
  if (isRunning) for (const command of disable) await runCommand(command, cli.environment);
  removeUnit(plan, { write: true });
  if (isRunning) for (const command of forget) await runCommand(command, cli.environment);
}

function told({ file, home }: UnitPlan, action: "removed" | "missing", isDry: boolean): string {
  if (action === "missing") return `There is no unit for ${home}: ${file} does not exist.`;
  return isDry
    ? `Would remove ${file}`
    : `Removed ${file}. What runs goes on; the next command starts a daemon for it.`;
}
