// Where a text is in a directory: in any file of it, by name or content, database and its log included.
import { execFileSync } from "node:child_process";

/** Paths of the files that hold the text, one per line; empty when none does. Spare keepers' directories may go meanwhile. */
export function filesHolding(directory: string, text: string): string {
  const script = `{ grep -srlaF -- "$0" "$1"; find "$1" -name "*$0*"; } 2>/dev/null || true`;
  return execFileSync("sh", ["-c", script, text, directory]).toString();
}
