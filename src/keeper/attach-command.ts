// A stream to a keeper through a command that ends in `keeper attach RUN_DIR`: a shell, ssh, a container's exec.
import { spawn } from "node:child_process";
import { Duplex } from "node:stream";

export interface AttachCommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** The command ends with the stream, and the stream with the command. */
export function openAttachCommand(argv: readonly string[], options: AttachCommandOptions = {}): Duplex {
  const [command = "", ...args] = argv;
  const child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "ignore"] });
  const stream = Duplex.from({ readable: child.stdout, writable: child.stdin });
  child.once("error", (error) => stream.destroy(error));
  child.once("exit", () => child.stdin.destroy()); // what it wrote before is still read, then the stream ends
  stream.once("close", () => child.kill("SIGKILL"));
  return stream;
}
