// Does the program in a terminal wait for somebody to type? Read from the kernel where it tells, guessed and marked so where it does not.
import { readFile, readdir, readlink } from "node:fs/promises";
import type { InputWait } from "../../protocol/process.ts";

export interface TerminalFacts {
  readonly isCanonical: boolean;
  readonly isEchoing: boolean;
  /** Process group in the foreground of the terminal. */
  readonly foregroundGroup: number;
  /** The last line has no newline, and nothing was written for a moment. */
  readonly isQuietPrompt: boolean;
}

// read(2) on x64 and on arm64.
const readCall = process.arch === "arm64" ? "63" : "0";

/** What it reads from, if the thread of which /proc tells this call is inside a read. */
export function readDescriptor(call: string): number | undefined {
  const [number, descriptor] = call.split(" ");
  return number === readCall ? Number(descriptor) : undefined;
}

export function isTerminalPath(path: string): boolean {
  return path.startsWith("/dev/pts/") || path === "/dev/tty";
}

async function groupOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => ""); // ended since
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2] ?? 0);
}

/** Is one of its threads inside a read of a terminal? Undefined where the kernel does not say. */
async function readsTerminal(pid: number): Promise<boolean | undefined> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  let isKnown = false;
  for (const thread of threads) {
    const call = await readFile(`/proc/${pid}/task/${thread}/syscall`, "latin1").catch(() => undefined);
    if (call === undefined) continue;
    isKnown = true;
    const descriptor = readDescriptor(call);
    if (descriptor === undefined) continue;
    if (isTerminalPath(await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => ""))) return true;
  }
  return isKnown ? false : undefined;
}

export async function inputWait(tree: readonly number[], facts: TerminalFacts): Promise<InputWait> {
  const groups = await Promise.all(tree.map(groupOf));
  const foreground = tree.filter((_pid, index) => groups[index] === facts.foregroundGroup);
  const answers = await Promise.all(foreground.map(readsTerminal));
  const isReading = answers.includes(true);
  if (facts.isCanonical && isReading) return { waits: facts.isEchoing ? "yes" : "password", guess: false };
  // A full-screen program polls in raw mode: that it waits can only be seen from its silence.
  if (!facts.isCanonical && facts.isQuietPrompt) return { waits: "yes", guess: true };
  if (!facts.isCanonical && isReading) return { waits: "yes", guess: true };
  return answers.length > 0 && answers.every((answer) => answer === undefined)
    ? { waits: "unknown", guess: false }
    : { waits: "no", guess: false };
}
