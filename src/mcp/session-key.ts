// Which session a caller is. The same client in the same project is the same session, so that one that comes back after everything
// died finds its processes, cursors and notices again.
import { createHash } from "node:crypto";

export { projectRoot } from "../util/project-root.ts";

const keyCharacters = 16;

export interface SessionFacts {
  /** Given by the caller or its environment. */
  readonly given?: string | undefined;
  /** As the client names itself. */
  readonly clientName?: string | undefined;
  /** Where the client works; a client at another end of a socket has none that we know of. */
  readonly directory?: string | undefined;
}

export function sessionKey({ given, clientName = "", directory = "" }: SessionFacts): string {
  if (given !== undefined && given !== "") return given;
  const digest = createHash("sha256").update(`${clientName.toLowerCase()}\0${directory}`).digest("hex");
  return `mcp-${digest.slice(0, keyCharacters)}`;
}
