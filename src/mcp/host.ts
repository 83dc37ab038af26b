// What the MCP server needs of the world: the operations, asked for a session, and what happens. One implementation is a client of
// the daemon (stdio), one is inside it (HTTP).
import type { Event } from "../protocol/events.ts";
import type { NoticeWithText } from "../protocol/notices.ts";
import type { Operations } from "../protocol/operations.ts";
import type { StartDefaults } from "./tool-call.ts";

export interface McpHost {
  /** `answered` resolves when the answer that carries what was learned is out; false: it never reached its caller. */
  operations(session: string, answered?: () => Promise<boolean>): Operations;
  /** Asked for no session: what the person at the client says. `client`: the connection it came by, if this process serves several. */
  personal(client?: () => object): Operations;
  /** What happens to processes that a session may see; comes back after a restart of the daemon. */
  events(session: string, signal: AbortSignal): AsyncIterable<Event>;
  /** What is owed to a session, from the oldest on, then what comes. */
  notices(session: string, signal: AbortSignal): AsyncIterable<NoticeWithText>;
  readonly startDefaults: StartDefaults;
  /** Of this release. */
  readonly version: string;
  /** Told what concerns no caller. */
  readonly report: (message: string, cause: unknown) => void;
}
