// Where each session works, learned from what passes between editor and agent.
import { isFields, type Message } from "./message.ts";

const methods: ReadonlySet<string> = new Set([
  "session/new",
  "session/load",
  "session/resume",
  "session/fork",
]);

export class SessionDirectories {
  readonly #directories = new Map<string, string>();
  /** By the id of a request that is not answered yet. */
  readonly #asked = new Map<string, { readonly cwd: string; readonly sessionId: string | undefined }>();

  of(sessionId: string): string | undefined {
    return this.#directories.get(sessionId);
  }

  /** From the editor. */
  noteRequest({ method = "", id, params }: Message): void {
    const { cwd, sessionId } = params;
    if (!methods.has(method) || id === undefined || typeof cwd !== "string") return;
    const known = typeof sessionId === "string" ? sessionId : undefined;
    // A session that is loaded tells its history before its request is answered.
    if (known !== undefined && method !== "session/fork") this.#directories.set(known, cwd);
    this.#asked.set(id, { cwd, sessionId: known });
  }

  /** From the agent. */
  noteAnswer({ id = "", fields }: Message): void {
    const asked = this.#asked.get(id);
    if (asked === undefined) return;
    this.#asked.delete(id);
    const { result } = fields;
    const told = isFields(result) ? result["sessionId"] : undefined;
    const sessionId = typeof told === "string" ? told : asked.sessionId;
    if (sessionId !== undefined) this.#directories.set(sessionId, asked.cwd);
  }
}
