// Who types into a terminal, as this viewer should hear it, and why nobody can.
import type { ListedProcess } from "#protocol/control.ts";
import type { TerminalState } from "~/terminal/terminal-session.ts";

/** A process that was removed is in no list: its view has heard of the end. */
export function noTyping(
  { phase }: Pick<TerminalState, "phase">,
  process: Pick<ListedProcess, "state"> | undefined,
): string | undefined {
  if (process?.state === "ended" || phase === "ended") return "The process has ended";
  return phase === "closed" ? "The view was closed" : undefined;
}

type Keyboard = Pick<TerminalState, "phase" | "keyboard" | "you" | "viewers">;

export function keyboardText(state: Keyboard, process: Pick<ListedProcess, "state"> | undefined): string {
  const who = noTyping(state, process) === undefined ? typist(state) : "Read-only";
  return state.viewers.length > 1 ? `${who} · ${state.viewers.length} viewers` : who;
}

function typist({ keyboard, you, viewers }: Keyboard): string {
  if (keyboard === null) return "Read-only";
  if (keyboard === you) return "You type";
  return `${viewers.find(({ id }) => id === keyboard)?.name ?? "Another viewer"} types`;
}
