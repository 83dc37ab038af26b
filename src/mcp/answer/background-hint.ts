// A command in the foreground that puts something behind itself works, but hides it: its end, its output and its stop are then nobody's.
// Said once to the model, never a reason to refuse.

// In the place of a command: at the beginning, or behind what ends another one.
const hidesByWord = /(?:^|[;&|(]|\b(?:then|do|else)\b)\s*(?:nohup|setsid|disown)\b/;
const hidesByAmpersand = /(?<![&>|<])&(?![&>\d])\s*(?:$|[;\n)]|[^&\s])/;
const asksForHelp = /\s(?:--help|-h|--version)\b/;

/** What is quoted or in a comment is text. */
function withoutQuoted(command: string): string {
  return command.replaceAll(/\\.|'[^']*'|"(?:\\.|[^"\\])*"|`[^`]*`|(?:^|\s)#.*$/gm, " x ");
}

export function backgroundHint(command: string): string | undefined {
  const bare = withoutQuoted(command);
  if (asksForHelp.test(bare) || (!hidesByWord.test(bare) && !hidesByAmpersand.test(bare))) return undefined;
  return "Hint: it was run as it is, but what a shell puts in the background has no id here; run it alone with background: true to keep its output, its end and a way to stop it.";
}
