// The least a program in Node can do that stands between processes and a reader: it reads their pipes and writes each part at once to a
// socket per process. It stores nothing and parses nothing, so nobody who forwards at once can need less.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { benchEnvironment } from "../../keeper/bench-home.ts";
import { openNodeSpawn } from "./node-spawn.ts";
import type { OpenWay, Receive } from "./way.ts";

const program = join(import.meta.dirname, "../programs/forward-output.ts");

export const openNodeForwarder: OpenWay = async (options) => {
  const spawned = await openNodeSpawn(options);
  const socketPath = join(options.directory, "reader.sock");
  let child: ChildProcess | undefined;
  let server: Server | undefined;
  return {
    startToEnd: () => spawned.startToEnd(),
    follow: async (argv, count, receive) => {
      server = await listen(socketPath, receive);
      child = fork(program, [JSON.stringify({ argv, count, socketPath })], { env: benchEnvironment });
      await once(child, "message");
    },
    ownPids: () => Promise.resolve(child?.pid === undefined ? [] : [child.pid]),
    close: async () => {
      if (child !== undefined) {
        child.send("close");
        await once(child, "exit");
      }
      server?.close();
    },
  };
};

async function listen(socketPath: string, receive: Receive): Promise<Server> {
  let next = 0;
  const server = createServer((socket) => {
    const index = next++;
    socket.on("data", (bytes: Buffer) => receive(index, bytes));
    socket.on("error", () => undefined); // the forwarder has ended
  });
  server.listen(socketPath);
  await once(server, "listening");
  return server;
}
