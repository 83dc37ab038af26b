// Watches on how a process ends: looked at once, in the commit of the end.
import type { ExitRecord } from "../../protocol/exit.ts";
import type { WatchRecord } from "../../store/index.ts";

/** As a shell tells it; undefined where nobody knows one. */
function codeOf({ exit }: ExitRecord): number | undefined {
  if (exit.kind === "exited") return exit.code;
  return exit.kind === "signaled" ? 128 + exit.signal : undefined;
}

/** Those whose code it is. */
export function exitMatches(watches: readonly WatchRecord[], exit: ExitRecord): string[] {
  const code = codeOf(exit);
  if (code === undefined) return [];
  return watches.flatMap(({ id, spec }) => (spec.kind === "exit" && spec.codes.includes(code) ? [id] : []));
}
