import { listProcesses, type CommandOutline, type OptionOutline } from "./outline.ts";

function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}

function optionLine(condition: string, { flags, description, takesValue, choices }: OptionOutline): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = takesValue ? ` -r${choices.length > 0 ? ` -f -a ${quote(choices.join(" "))}` : ""}` : "";
  return `complete -c holdfast -n ${condition} ${names.join(" ")}${value} -d ${quote(description)}`;
}

function commandLines(command: CommandOutline): string[] {
  const condition = quote(`__fish_seen_subcommand_from ${command.names.join(" ")}`);
  const [shown = ""] = command.names;
  const lines = [
    `complete -c holdfast -n __fish_use_subcommand -f -a ${shown} -d ${quote(command.description)}`,
    ...command.options.map((option) => optionLine(condition, option)),
  ];
  if (command.takesProcess)
    lines.push(`complete -c holdfast -n ${condition} -f -a ${quote(`(${listProcesses})`)}`);
  const list = [...command.choices, ...command.commands.map((inner) => inner.names[0] ?? "")];
  if (list.length > 0) lines.push(`complete -c holdfast -n ${condition} -f -a ${quote(list.join(" "))}`);
  return lines;
}

export function renderFish({ commands }: CommandOutline): string {
  const lines = commands.flatMap(commandLines);
  return `# fish completion of holdfast. To use it: holdfast completion fish | source\n${lines.join("\n")}\n`;
}
