// Holdfast inside another program: this process becomes the home's daemon, or uses the one there is. Either way the caller holds the
// same client, so nothing it does depends on which it was.
import { resolveHome } from "../config/index.ts";
import { bootDaemon, type Daemon } from "../daemon/index.ts";
import { isHoldfastError } from "../protocol/errors.ts";
import type { Client } from "../client/client.ts";
import { connect } from "../client/node.ts";

export interface RuntimeOptions {
  /** Default: HOLDFAST_HOME, else ~/.holdfast. */
  readonly home?: string;
  /** The session the client speaks for. */
  readonly session?: string;
  /** Told what concerns no request; default: nobody. */
  readonly onProblem?: (message: string, cause?: unknown) => void;
}

export interface EmbeddedRuntime {
  readonly client: Client;
  /** Does this process itself hold the home? */
  readonly isEmbedded: boolean;
  /** Processes go on, and the next daemon or runtime finds them. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

async function bootOrYield(
  home: string,
  options: RuntimeOptions,
  onStopRequested: () => void,
): Promise<Daemon | undefined> {
  try {
    return await bootDaemon({
      home,
      environment: process.env,
      listen: true,
      isEmbedded: true,
      report: options.onProblem ?? (() => undefined),
      onStopRequested,
    });
  } catch (error) {
    if (isHoldfastError(error, "DAEMON_RUNNING")) return undefined;
    throw error;
  }
}

export async function createRuntime(options: RuntimeOptions = {}): Promise<EmbeddedRuntime> {
  const home = options.home ?? resolveHome();
  const stop = Promise.withResolvers<void>();
  const again = Promise.withResolvers<void>();
  let isStopping = false;
  const daemon = await bootOrYield(home, options, () => {
    (isStopping ? again : stop).resolve();
    isStopping = true;
  });
  const client = await connect({
    home,
    ...(options.session === undefined ? {} : { session: options.session }),
  });
  const close = async (): Promise<void> => {
    client.close();
    await daemon?.close();
  };
  // Somebody asked this daemon to stop: an embedded one yields its home and leaves the program running.
  if (daemon !== undefined) {
    void stop.promise.then(() => daemon.drain.begin()).then(close);
    void again.promise.then(() => daemon.drain.hurry());
  }
  return { client, isEmbedded: daemon !== undefined, close, [Symbol.asyncDispose]: close };
}
