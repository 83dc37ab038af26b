// Terminals in what an agent shows of its tool calls: by the editor's own, where it has one, else by their text.
import { isFields, type Fields, type Message } from "./message.ts";

/** What stands in the place of one of our terminals; undefined: it is none of ours. */
export type ShowTerminal = (sessionId: string, terminalId: string) => Promise<Fields | undefined>;

const mostRememberedCalls = 1_000;

export class ToolContents {
  readonly #show: ShowTerminal;
  /** What tool calls with terminals consist of, by session and call: their text grows until they end. */
  readonly #calls = new Map<string, readonly unknown[]>();

  constructor(show: ShowTerminal) {
    this.#show = show;
  }

  /** The message with its terminals shown; undefined when there is nothing to change. */
  async shown({ method, fields, params }: Message): Promise<Fields | undefined> {
    const { sessionId } = params;
    const place =
      method === "session/update"
        ? "update"
        : method === "session/request_permission"
          ? "toolCall"
          : undefined;
    if (place === undefined || typeof sessionId !== "string") return undefined;
    const call = params[place];
    if (!isFields(call)) return undefined;
    const content = await this.#content(sessionId, call);
    return content && { ...fields, params: { ...params, [place]: { ...call, content } } };
  }

  async #content(
    sessionId: string,
    { toolCallId, content }: Fields,
  ): Promise<readonly unknown[] | undefined> {
    if (typeof toolCallId !== "string") return undefined;
    const key = JSON.stringify([sessionId, toolCallId]);
    if (Array.isArray(content)) {
      const parts: readonly unknown[] = content;
      const shown = await this.#replaced(sessionId, parts);
      if (shown === undefined) this.#calls.delete(key);
      else this.#remember(key, parts);
      return shown;
    }
    // An update that says nothing of the content leaves it: what of it is the text of a terminal is told anew.
    const before = this.#calls.get(key);
    return before && (await this.#replaced(sessionId, before));
  }

  async #replaced(sessionId: string, content: readonly unknown[]): Promise<readonly unknown[] | undefined> {
    let hasOurs = false;
    const parts = await Promise.all(
      content.map(async (part) => {
        if (!isFields(part) || part["type"] !== "terminal" || typeof part["terminalId"] !== "string")
          return part;
        const shown = await this.#show(sessionId, part["terminalId"]);
        hasOurs ||= shown !== undefined;
        return shown ?? part;
      }),
    );
    return hasOurs ? parts : undefined;
  }

  #remember(key: string, content: readonly unknown[]): void {
    this.#calls.delete(key);
    this.#calls.set(key, content);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > mostRememberedCalls && oldest !== undefined) this.#calls.delete(oldest);
  }
}
