// Bytes for standard output and error, no faster than they are taken.
import { once } from "node:events";

export async function writeOut(
  bytes: Uint8Array | string,
  stream: "stdout" | "stderr" = "stdout",
): Promise<void> {
  if (bytes.length === 0) return;
  const target = process[stream];
  if (!target.write(bytes)) await once(target, "drain");
}
