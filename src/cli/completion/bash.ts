import { listProcesses, type CommandOutline } from "./outline.ts";

/** Words for compgen -W: they hold no quotes. */
function words(list: readonly string[]): string {
  return list.join(" ");
}

function commandCase(command: CommandOutline): string {
  const flags = [...command.options.flatMap((option) => option.flags), "--help"];
  const valueCases = command.options
    .filter((option) => option.takesValue)
    .map((option) => {
      const reply = option.choices.length > 0 ? `_holdfast_reply "${words(option.choices)}"` : ":";
      return `        ${option.flags.join("|")}) ${reply}; return;;\n`;
    });
  const inner = command.commands.map((one) => one.names[0] ?? "");
  const operands = command.takesProcess
    ? `_holdfast_reply "$(${listProcesses})"`
    : `_holdfast_reply "${words([...command.choices, ...inner])}"`;
  return [
    `    ${command.names.join("|")})\n`,
    valueCases.length > 0 ? `      case "$previous" in\n${valueCases.join("")}      esac\n` : "",
    `      if [[ "$current" == -* ]]; then _holdfast_reply "${words(flags)}"; else ${operands}; fi;;\n`,
  ].join("");
}

export function renderBash({ commands }: CommandOutline): string {
  const names = commands.map((command) => command.names[0] ?? "");
  return `# bash completion of holdfast. To use it: source <(holdfast completion bash)
_holdfast_reply() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}

_holdfast() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    _holdfast_reply "${words([...names, "--help", "--version"])}"
    return
  fi
  case "\${COMP_WORDS[1]}" in
${commands.map(commandCase).join("")}  esac
}

complete -o default -F _holdfast holdfast
`;
}
