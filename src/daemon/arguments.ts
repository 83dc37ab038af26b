// What the daemon's program is told by whoever starts it.
import { parseArgs } from "node:util";
import { HoldfastError } from "../protocol/errors.ts";

export interface DaemonArguments {
  /** Take the home from the daemon that has it. */
  readonly replace: boolean;
  /** With replace: how long that one lets open waits finish. */
  readonly drainMs: number | undefined;
  /** A failure to start goes to standard error as JSON. */
  readonly json: boolean;
  /** The dashboard asks nobody who they are. */
  readonly insecure: boolean;
}

/** @throws HoldfastError INVALID_ARGUMENT */
export function parseDaemonArguments(args: readonly string[]): DaemonArguments {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        replace: { type: "boolean" },
        "drain-ms": { type: "string" },
        json: { type: "boolean" },
        insecure: { type: "boolean" },
      },
    });
    const drain = values["drain-ms"];
    if (drain !== undefined && !/^\d{1,9}$/.test(drain)) throw new Error(`--drain-ms: "${drain}" is no time`);
    return {
      replace: values.replace === true,
      drainMs: drain === undefined ? undefined : Number(drain),
      json: values.json === true,
      insecure: values.insecure === true,
    };
  } catch (error) {
    throw new HoldfastError("INVALID_ARGUMENT", error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}
