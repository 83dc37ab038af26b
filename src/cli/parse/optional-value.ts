// An option whose value may be left out does not take the program that is to run for its value: `run --notify make` runs make.
import type { Command } from "commander";

export function keepOperands(command: Command): Command {
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (args) => parse(withoutGuess(command, args));
  return command;
}

/** As commander goes through them, up to the first word that is no option's. */
function withoutGuess({ options }: Command, args: readonly string[]): string[] {
  const told = [...args];
  for (let index = 0; index < told.length; index++) {
    const word = told[index] ?? "";
    if (word === "--" || !word.startsWith("-")) break;
    const option = options.find(({ long, short }) => word === long || word === short);
    if (option?.required === true) index += 1;
    if (option?.optional !== true) continue;
    if (option.argChoices?.includes(told[index + 1] ?? "") === true) index += 1;
    else told[index] = `${word}=${String(option.presetArg)}`;
  }
  return told;
}
