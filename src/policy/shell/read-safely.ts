// Reading a command must not hold up the daemon. The parser is quick with what people write, but some texts, such as thousands
// of open braces, cost it the square of their length: those are read in a thread that is ended when it takes too long.
import { Worker } from "node:worker_threads";
import { mostCharacters, opaqueAs, readCommand, type Seen } from "./read-command.ts";

// Measured: 9 ns for each character and each brace before it. This much is done within 50 ms.
const mostWorkHere = 5_000_000;
const mostReadMs = 2_000;
const mostMemoryMib = 128;

export async function readSafely(command: string | readonly string[]): Promise<Seen> {
  const text = typeof command === "string" ? command : command.join(" ");
  if (text.length > mostCharacters) return opaqueAs(text.slice(0, 200), "it is too long to be read");
  if (workOf(text) <= mostWorkHere) return readCommand(command);
  const seen = await readInThread(command);
  return seen ?? opaqueAs(text.slice(0, 200), "it takes too long to be read");
}

/** An estimate from above: what opens something may be looked at again for everything behind it. */
function workOf(text: string): number {
  return text.length * (text.match(/[{(`<]/g)?.length ?? 0);
}

async function readInThread(command: string | readonly string[]): Promise<Seen | undefined> {
  // In a bundle this file is the daemon's, and the thread has one of its own beside it.
  const file = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./policy-worker.mjs";
  const worker = new Worker(new URL(file, import.meta.url), {
    name: "policy",
    execArgv: [],
    workerData: command,
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMib },
  });
  const told = Promise.withResolvers<Seen | undefined>();
  worker.once("message", (seen: Seen) => told.resolve(seen));
  // Out of memory, or a stack that was too deep: as little known as what takes too long.
  worker.once("error", () => told.resolve(undefined));
  worker.once("exit", () => told.resolve(undefined));
  const timer = setTimeout(() => told.resolve(undefined), mostReadMs);
  try {
    return await told.promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
