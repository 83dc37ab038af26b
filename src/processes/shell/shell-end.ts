// What a shell wrote when it ended: its directory, and its exported variables as `env -0` tells them.
import { toText, type ByteText } from "./remembered.ts";

export interface ShellEnd {
  /** Undefined: its name is no text. */
  readonly cwd: string | undefined;
  /** Undefined: they are too many for any program to be started with. */
  readonly variables: ReadonlyMap<string, ByteText> | undefined;
}

const endOfDirectory = "\n\0";

/** Undefined for what is not whole: the shell was killed, or became another program. */
export function parseShellEnd(bytes: Buffer): ShellEnd | undefined {
  const text = bytes.toString("latin1");
  const at = text.indexOf(endOfDirectory);
  if (at < 0) return undefined;
  const cwd = toText(text.slice(0, at));
  const entries = text.slice(at + endOfDirectory.length).split("\0");
  // Each entry has an "=", so neither mark can be one.
  if (entries.pop() !== "") return undefined;
  const mark = entries.pop();
  if (mark === "too large") return { cwd, variables: undefined };
  if (mark !== "end") return undefined;
  const variables = new Map<string, ByteText>();
  for (const entry of entries) {
    const equals = entry.indexOf("=");
    if (equals > 0) variables.set(entry.slice(0, equals), entry.slice(equals + 1));
  }
  return { cwd, variables };
}
