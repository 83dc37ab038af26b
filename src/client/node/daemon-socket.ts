// Where the daemon of a home listens: in the home, or, where the home cannot be written, in a directory of this user's own.
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function homeSocket(home: string): string {
  return join(home, "daemon.sock");
}

/** The same for everybody who means this home. Whoever binds it makes the directory, 0700. */
export function socketOutsideHome(home: string, environment: NodeJS.ProcessEnv = process.env): string {
  const base = environment["XDG_RUNTIME_DIR"] || tmpdir();
  const name = createHash("sha256").update(home).digest("hex").slice(0, 16);
  return join(base, `holdfast-${process.getuid?.() ?? 0}`, `${name}.sock`);
}
