// `node forward-output.ts JSON`: starts so many of a program and writes what each writes to a connection of its own. See ways/node-forwarder.ts.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";

interface Work {
  readonly argv: readonly string[];
  readonly count: number;
  readonly socketPath: string;
}

const { argv, count, socketPath } = JSON.parse(process.argv[2] ?? "") as Work; // written by node-forwarder.ts
const [file = "", ...args] = argv;
const children = await Promise.all(
  Array.from({ length: count }, async () => {
    const socket = connect(socketPath);
    await once(socket, "connect");
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "ignore"] });
    child.stdout.on("data", (bytes: Buffer) => socket.write(bytes));
    return child;
  }),
);
const close = (): never => {
  for (const child of children) child.kill("SIGKILL");
  process.exit();
};
process.on("message", close);
process.on("disconnect", close);
process.send?.("follows");
