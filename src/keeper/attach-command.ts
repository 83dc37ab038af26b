// A stream to a keeper through a command that ends in `keeper attach RUN_DIR`: a shell, ssh, a container's exec.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { Duplex, type Readable, type Writable } from "node:stream";

export interface AttachCommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** The command ends with the stream, and the stream with the command. */
export function openAttachCommand(argv: readonly string[], options: AttachCommandOptions = {}): Duplex {
  const [command = "", ...args] = argv;
  const child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "ignore"] });
  return new CommandStream(child);
}

/**
 * Node destroys the standard input of a child as soon as that has ended. What it wrote before is still to be read, so the
 * end of the stream is the end of its output and nothing else.
 */
class CommandStream extends Duplex {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;

  constructor(child: ChildProcessByStdio<Writable, Readable, null>) {
    super({ allowHalfOpen: false });
    this.#child = child;
    child.once("error", (error) => this.destroy(error));
    child.stdin.on("error", () => undefined); // it has ended: its output tells so
    child.stdout.on("data", (bytes: Buffer) => {
      if (!this.push(bytes)) child.stdout.pause();
    });
    child.stdout.once("close", () => this.push(null));
  }

  override _read(): void {
    this.#child.stdout.resume();
  }

  override _write(bytes: Buffer, encoding: BufferEncoding, done: () => void): void {
    this.#child.stdin.write(bytes, encoding, () => done());
  }

  override _final(done: () => void): void {
    this.#child.stdin.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#child.kill("SIGKILL");
    done(error);
  }
}
