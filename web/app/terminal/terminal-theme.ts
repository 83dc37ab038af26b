// Colours of terminals, for both themes. Contrast of every colour against the background is at least 4.5 : 1, except
// black on dark and white on light, which programs use as backgrounds.
import type { ITheme } from "@xterm/xterm";

const light: ITheme = {
  background: "#ffffff",
  foreground: "#14191d",
  cursor: "#0f766e",
  cursorAccent: "#ffffff",
  selectionBackground: "#b8d8f5",
  black: "#14191d",
  red: "#b3261e",
  green: "#14713a",
  yellow: "#8a5200",
  blue: "#1d5fa8",
  magenta: "#86309c",
  cyan: "#0b6b74",
  white: "#dfe3e6",
  brightBlack: "#55616b",
  brightRed: "#c5352c",
  brightGreen: "#1a7f43",
  brightYellow: "#8f5b05",
  brightBlue: "#2a6fbd",
  brightMagenta: "#9a3fb1",
  brightCyan: "#0e7680",
  brightWhite: "#f7f8f8",
};

const dark: ITheme = {
  background: "#0b0e10",
  foreground: "#e6eaed",
  cursor: "#4fd1c5",
  cursorAccent: "#0b0e10",
  selectionBackground: "#2d4a66",
  black: "#1b2226",
  red: "#ff8a80",
  green: "#6cd391",
  yellow: "#f0b95a",
  blue: "#82b9f5",
  magenta: "#dfa2f0",
  cyan: "#62d3dd",
  white: "#d5dbdf",
  brightBlack: "#8b98a1",
  brightRed: "#ffa8a0",
  brightGreen: "#93e2ae",
  brightYellow: "#f7cf86",
  brightBlue: "#a6cef9",
  brightMagenta: "#eabff6",
  brightCyan: "#8fe2e9",
  brightWhite: "#ffffff",
};

export const terminalThemes = { light, dark } as const;
