// The command line as completion needs it: words, their options, and which of them take a process.
import type { Command, Option } from "commander";

export interface OptionOutline {
  readonly flags: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

export interface CommandOutline {
  /** All names; the first is shown. */
  readonly names: readonly string[];
  readonly description: string;
  readonly options: readonly OptionOutline[];
  readonly takesProcess: boolean;
  /** Of its first argument. */
  readonly choices: readonly string[];
  readonly commands: readonly CommandOutline[];
}

function outlineOption(option: Option): OptionOutline {
  return {
    flags: [option.short, option.long].filter((flag) => flag !== undefined && flag !== null),
    description: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
  };
}

export function outline(command: Command): CommandOutline {
  const [first] = command.registeredArguments;
  return {
    names: [command.name(), ...command.aliases()],
    description: command.description(),
    options: command.options.map(outlineOption),
    takesProcess: first?.name() === "id",
    choices: first?.argChoices ?? [],
    commands: command.commands.filter((inner) => inner.name() !== "help").map(outline),
  };
}

/** Ids of the home. Starts no daemon: a press of Tab must not. */
export const listProcesses = "holdfast ps -a -q --no-start 2>/dev/null";
