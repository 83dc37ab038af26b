// Looks a host up once, refuses addresses inside, and gives the connection exactly what was looked at: a second answer of the same
// name server cannot lead elsewhere.
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { isInside } from "./refused-address.ts";

export class AddressRefused extends Error {}

export interface PinnedHost {
  readonly lookup: LookupFunction;
}

/** @throws AddressRefused, or what the name server says */
export async function pinHost(host: string, allowedHosts: readonly string[]): Promise<PinnedHost> {
  const name = host.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(name);
  const addresses = family === 0 ? await lookup(name, { all: true }) : [{ address: name, family }];
  const isAllowed = allowedHosts.some((allowed) => allowed.toLowerCase() === name.toLowerCase());
  const usable = isAllowed ? addresses : addresses.filter(({ address }) => !isInside(address));
  const [first] = usable;
  // One address inside among others is a name server that wants to be tried until it fits.
  if (first === undefined || usable.length < addresses.length) {
    throw new AddressRefused(
      `${name} has an address inside this machine or its networks; name it in allowHosts to allow that`,
    );
  }
  return {
    lookup: (_name, options, answer) => {
      if (options.all === true) answer(null, [first]);
      else answer(null, first.address, first.family);
    },
  };
}
