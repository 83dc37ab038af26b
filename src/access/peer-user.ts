// Whose program is at the other end of a connection inside this machine. The kernel knows it; elsewhere nobody asks.
import { readFileSync } from "node:fs";
import { endianness } from "node:os";

export interface LoopbackConnection {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localPort: number;
}

interface Place {
  readonly file: string;
  readonly hex: string;
}

/** Where the client's end may be listed: one of an IPv4 address may have been opened as an IPv6 one. */
function placesOf(address: string): Place[] {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]?.split(".").map(Number);
  const zeros = [0, 0, 0, 0];
  if (v4 === undefined) {
    return [{ file: "/proc/net/tcp6", hex: wordsToHex([zeros, zeros, zeros, [0, 0, 0, 1]]) }];
  }
  return [
    { file: "/proc/net/tcp", hex: wordsToHex([v4]) },
    { file: "/proc/net/tcp6", hex: wordsToHex([zeros, zeros, [0, 0, 0xff, 0xff], v4]) },
  ];
}

/** The table shows each word of an address in the order of bytes of the machine. */
function wordsToHex(words: readonly (readonly number[])[]): string {
  return words
    .map((bytes) => Buffer.from(endianness() === "LE" ? bytes.toReversed() : bytes).toString("hex"))
    .join("")
    .toUpperCase();
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
}

/** Empty where there is no such table. */
function readTable(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

/** The uid of the program that opened it; undefined where the system does not tell. Both ends are of this machine. */
export function peerUid({ remoteAddress, remotePort, localPort }: LoopbackConnection): number | undefined {
  for (const { file, hex } of placesOf(remoteAddress)) {
    const ends = `${hex}:${hexPort(remotePort)} [0-9A-F]+:${hexPort(localPort)}`;
    // State 01: the connection stands. Then queues, timer, retransmissions, and the uid.
    const uid = new RegExp(`^ *\\d+: ${ends} 01 \\S+ \\S+ \\S+ +(\\d+)`, "m").exec(readTable(file))?.[1];
    if (uid !== undefined) return Number(uid);
  }
  return undefined;
}
