// The sixteen colours of terminals as variables of the page, in the theme that is shown: output and terminals look the same.
import type { CSSProperties } from "react";
import { terminalThemes } from "~/terminal/terminal-theme.ts";

const names = [
  "black",
  "red",
  "green",
  "yellow",
  "blue",
  "magenta",
  "cyan",
  "white",
  "brightBlack",
  "brightRed",
  "brightGreen",
  "brightYellow",
  "brightBlue",
  "brightMagenta",
  "brightCyan",
  "brightWhite",
] as const;

export function ansiVariables(theme: keyof typeof terminalThemes): CSSProperties {
  const colours = terminalThemes[theme];
  return Object.fromEntries(names.map((name, index) => [`--ansi-${index}`, colours[name]]));
}
