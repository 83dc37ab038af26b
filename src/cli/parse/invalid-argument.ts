// What is wrong with a command line, said before anything is asked of the daemon.
import { HoldfastError } from "../../protocol/errors.ts";

export function invalidArgument(message: string, hint?: string): HoldfastError {
  return new HoldfastError("INVALID_ARGUMENT", message, hint === undefined ? {} : { hint });
}
