// Who asks, as every operation sees it.
import type { Who } from "./access.ts";

/** Who asks. Carried beside the input, never inside it. */
export interface Caller {
  /** Who came by the network; without it, the owner of the home. */
  readonly who?: Who;
  /** The session this caller speaks for, if any. */
  readonly session?: string;
  /** Names one request in answers, errors, logs and stop reasons. */
  readonly requestId: string;
  /** The socket it asks through, where there is one: the kernel knows who is at its other end. No field: a caller may be logged. */
  readonly connection?: () => object;
  /** Not a client: what the configuration itself says to start, which a person wrote. */
  readonly isConfiguration?: true;
}
