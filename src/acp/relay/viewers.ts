// Terminals of the editor that show what ours write. An editor can show only terminals it has made itself: it makes one that follows
// the output. Its end harms nobody: the process is not in it.
import type { EditorRequests } from "./editor-requests.ts";

export interface ViewerCommand {
  readonly command: string;
  /** Before the id of the process. */
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

// A viewer ends by itself, a moment after its process: it is let show the last lines.
const lastLinesMs = 2_000;

export class Viewers {
  readonly #editor: EditorRequests;
  readonly #command: ViewerCommand;
  /** Ids of the editor's terminals, by ours. */
  readonly #ids = new Map<string, string>();

  constructor(editor: EditorRequests, command: ViewerCommand) {
    this.#editor = editor;
    this.#command = command;
  }

  /** Resolves when the editor has one, or will have none. */
  async open(sessionId: string, terminalId: string): Promise<void> {
    const { command, args, env } = this.#command;
    const made = await this.#editor.ask("terminal/create", {
      sessionId,
      command,
      args: [...args, terminalId],
      env,
    });
    const id = made?.["terminalId"];
    if (typeof id === "string") this.#ids.set(terminalId, id);
  }

  idOf(terminalId: string): string | undefined {
    return this.#ids.get(terminalId);
  }

  /** The editor keeps on showing what a released terminal has shown. */
  async release(sessionId: string, terminalId: string): Promise<void> {
    const id = this.#ids.get(terminalId);
    if (id === undefined) return;
    const viewer = { sessionId, terminalId: id };
    await this.#editor.ask("terminal/wait_for_exit", viewer, lastLinesMs);
    await this.#editor.ask("terminal/release", viewer);
  }
}
