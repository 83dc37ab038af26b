import { once } from "node:events";
import { mkdirSync, mkdtempSync } from "node:fs";
import { open } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectUnixSocket } from "./socket.ts";

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve) => {
    server.listen(path, resolve);
  });
}

test("a socket is reached under a path of any length", async () => {
  const short = mkdtempSync(join(homedir(), "s-"));
  const long = join(short, "d".repeat(200), "e".repeat(200));
  mkdirSync(long, { recursive: true });
  for (const directory of [short, long]) {
    const server = createServer((socket) => socket.end("hello"));
    await using handle = await open(directory);
    await listening(server, `/proc/self/fd/${handle.fd}/sock`);
    const socket = await connectUnixSocket(directory, "sock");
    const chunks: Buffer[] = [];
    const ended = once(socket, "end");
    socket.receive((chunk) => chunks.push(chunk));
    await ended;
    expect(Buffer.concat(chunks).toString()).toBe("hello");
    server.close();
  }
});

test("nobody there is an error of the system; an abort is the caller's reason", async () => {
  const directory = mkdtempSync(join(homedir(), "s-"));
  await expect(connectUnixSocket(directory, "sock")).rejects.toMatchObject({ code: "ENOENT" });
  await expect(connectUnixSocket(join(directory, "x".repeat(200)), "sock")).rejects.toMatchObject({
    code: "ENOENT",
  });
  const reason = new Error("enough");
  await expect(connectUnixSocket(directory, "sock", AbortSignal.abort(reason))).rejects.toBe(reason);
});
