// Text of others on a terminal of ours: one line of it, or a message of several.
import { safeText } from "../../util/safe-text.ts";

export { safeText };

/** As safeText, but its lines and tabs stay: for messages of several lines. */
export function safeLines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.split("\t").map(safeText).join("\t"))
    .join("\n");
}
