import { listProcesses, type CommandOutline, type OptionOutline } from "./outline.ts";

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** What stands inside [ ] and : of a specification. */
function escape(text: string): string {
  return text.replaceAll(/[\\:[\]]/g, "\\$&");
}

function optionSpecifications({ flags, description, takesValue, choices }: OptionOutline): string[] {
  const value = takesValue ? `:value:${choices.length > 0 ? `(${choices.join(" ")})` : ""}` : "";
  return flags.map((flag) => quote(`${flag}[${escape(description)}]${value}`));
}

function operands({ takesProcess, choices, commands }: CommandOutline): string {
  if (takesProcess) return quote("*:process:_holdfast_processes");
  const list = [...choices, ...commands.map((command) => command.names[0] ?? "")];
  return quote(list.length > 0 ? `1:what:(${list.join(" ")})` : "*::arguments:_normal");
}

function commandCase(command: CommandOutline): string {
  const specifications = [...command.options.flatMap(optionSpecifications), operands(command)];
  return `    ${command.names.join("|")}) _arguments ${specifications.join(" ")};;\n`;
}

export function renderZsh({ commands }: CommandOutline): string {
  const described = commands.map((command) =>
    quote(`${command.names[0] ?? ""}:${escape(command.description)}`),
  );
  return `#compdef holdfast
# zsh completion of holdfast. To use it: source <(holdfast completion zsh)
_holdfast_processes() {
  local -a ids
  ids=(\${(f)"$(${listProcesses})"})
  compadd -a ids
}

_holdfast() {
  local -a commands
  if (( CURRENT == 2 )); then
    commands=(
      ${described.join("\n      ")}
    )
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case "$words[1]" in
${commands.map(commandCase).join("")}  esac
}

compdef _holdfast holdfast
`;
}
