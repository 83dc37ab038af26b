// What a terminal has written, for an editor that has no terminals: the end of it, as a block of text.
import { isHoldfastError } from "../../protocol/errors.ts";
import type { Operations } from "../../protocol/operations.ts";
import { findTerminal } from "../terminal-process.ts";
import type { Fields } from "./message.ts";

const shownBytes = 16_384;

/** Undefined for what is no terminal of this session. */
export async function terminalText(
  operations: Operations,
  sessionId: string,
  terminalId: string,
): Promise<Fields | undefined> {
  try {
    const view = await findTerminal(operations, sessionId, terminalId, {});
    if (view === undefined) return undefined;
    const { text = "" } = await operations.call("process.output", {
      id: view.id,
      tailBytes: shownBytes,
      limitBytes: shownBytes,
      redact: true,
    });
    return textContent(`${view.command}\n${text}`);
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    // What the agent says must reach the editor, with or without this.
    return textContent(`${terminalId}: ${error.message}`);
  }
}

/** Fenced by more ticks than it has itself: what a process prints cannot end the block. */
function textContent(text: string): Fields {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return {
    type: "content",
    content: { type: "text", text: `${fence}\n${text.trimEnd()}\n${fence}` },
  };
}
