// What an address to listen on means: which one it is, and whether anybody but this machine can reach it.
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { HoldfastError } from "../protocol/errors.ts";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/** Also of an IPv4 address written as an IPv6 one. */
export function isLoopback(address: string): boolean {
  const version = isIP(address);
  return version > 0 && loopback.check(address, version === 6 ? "ipv6" : "ipv4");
}

export interface BindAddress {
  /** What to listen on. */
  readonly address: string;
  readonly isLoopback: boolean;
}

/** A name is loopback only if all its addresses are. @throws HoldfastError DASHBOARD_UNAVAILABLE */
export async function resolveBind(bind: string): Promise<BindAddress> {
  if (isIP(bind) > 0) return { address: bind, isLoopback: isLoopback(bind) };
  try {
    const found = await lookup(bind, { all: true });
    const [first] = found;
    if (first === undefined) throw new Error("it has no address");
    return { address: first.address, isLoopback: found.every(({ address }) => isLoopback(address)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HoldfastError(
      "DASHBOARD_UNAVAILABLE",
      `dashboard.bind: ${bind} cannot be resolved: ${reason}`,
      {
        hint: "Correct dashboard.bind; an address such as 127.0.0.1 needs no resolving.",
        cause: error,
      },
    );
  }
}
