// Something that takes connections: what a wait or a watch asks whether it is there.
import { z } from "zod";

/** As in an address: the brackets of IPv6 are not part of it. */
function withoutBrackets(host: string): string {
  return /^\[(.+)\]$/.exec(host)?.[1] ?? host;
}

export const listenerShape = {
  port: z.int().min(1).max(65_535),
  /** Default: 127.0.0.1 and ::1, whichever answers. */
  host: z.string().min(1).overwrite(withoutBrackets).optional(),
};
