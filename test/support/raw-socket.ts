// A plain connection to a launcher or a keeper, for tests that speak to it byte by byte.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";

export async function openRawSocket(directory: string, name: "sock" | "launcher.sock"): Promise<Socket> {
  const socket = connect(join(directory, name));
  await once(socket, "connect");
  return socket;
}
