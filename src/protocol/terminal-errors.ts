// The codes of terminals, their viewers and what is typed: a part of the one registry, errors.ts.
import { define } from "./error-definition.ts";

export const terminalErrors = {
  ECHO_ON: define("conflict", {
    summary: "The terminal, or the program that reads its keys, could show the secret on the screen.",
    hint: "Send the secret when the program asks for it, or force it.",
  }),
  KEYBOARD_NOT_HELD: define("conflict", {
    summary: "A viewer of a terminal typed without having its keyboard.",
    hint: "Take the keyboard first; whoever has it is told.",
  }),
  NO_VIEWER: define("conflict", {
    summary: "No dashboard is connected, so nobody shows anything.",
    hint: "Open the dashboard first, or leave it: the process does not need a viewer.",
  }),
  NOT_A_DIRECTORY: define("invalid", {
    summary: "The directory for a new terminal, or the one a command is typed in, is not there, or is none.",
    hint: "Give a directory that exists; `~` is the user's own.",
  }),
  TOO_MANY_TERMINALS: define("limit", {
    summary: "As many terminals are open as are allowed.",
    hint: "End one that is not needed, or raise terminal.maxOpen in the configuration.",
  }),
  SHELL_NOT_STARTED: define("invalid", {
    summary: "The shell of a new terminal could not be started.",
    hint: "See the message for the step that failed; give another shell, or correct shell.program in the configuration.",
  }),
  STDIN_CLOSED: define("conflict", {
    summary: "The standard input of the process is closed.",
    hint: "Start the process with stdin open, and write before closing it.",
  }),
} as const;
