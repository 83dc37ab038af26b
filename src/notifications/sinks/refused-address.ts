// Addresses inside this machine and its networks. A notice goes there only where the configuration names the host: an address that
// somebody else controls could otherwise reach what listens for us alone.
import { BlockList, isIP } from "node:net";

const inside = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const)
  inside.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::", 96], // unspecified, loopback, and IPv4 in its old form
  ["100::", 64],
  ["2001::", 23], // Teredo and others that carry an IPv4 address
  ["2001:db8::", 32],
  ["2002::", 16], // 6to4
  ["64:ff9b::", 96], // NAT64: what is behind it cannot be told
  ["64:ff9b:1::", 48],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const)
  inside.addSubnet(network, prefix, "ipv6");

/** Anything that is no address at all counts as inside. */
export function isInside(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return isInside(mapped);
  const family = isIP(address);
  if (family === 0) return true;
  // A mapped address in hexadecimal is matched by the list's IPv4 rules too.
  return inside.check(address, family === 4 ? "ipv4" : "ipv6");
}
