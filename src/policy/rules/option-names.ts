// Options that mean the same in two spellings, for the programs that do most harm.

const longNames: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
  ["rm", { recursive: "r", force: "f", dir: "d" }],
  ["cp", { recursive: "r", force: "f" }],
  ["chmod", { recursive: "R" }],
  ["chown", { recursive: "R" }],
  ["chgrp", { recursive: "R" }],
  ["git", { force: "f" }],
  ["sed", { "in-place": "i" }],
  ["mv", { force: "f" }],
  ["kill", { signal: "s" }],
]);

export function letterOfLong(program: string, long: string): string | undefined {
  return longNames.get(program)?.[long.split("=")[0] ?? ""];
}

/** `rm -R` is `rm -r`. */
export function canonicalLetter(program: string, letter: string): string {
  return letter === "R" && (program === "rm" || program === "cp") ? "r" : letter;
}

/** One dash before a whole word: their letters are not options. */
export const hasLongShortOptions: ReadonlySet<string> = new Set([
  "find",
  "java",
  "go",
  "terraform",
  "openssl",
  "ffmpeg",
  "dd",
]);

/** Options with a value that may stand before the subcommand. */
export const leadingValued: ReadonlyMap<string, readonly string[]> = new Map([
  ["git", ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"]],
  ["docker", ["-H", "--host", "-c", "--context", "--config", "-l", "--log-level"]],
  ["podman", ["-c", "--connection", "--url", "--root"]],
  ["kubectl", ["-n", "--namespace", "--context", "--kubeconfig", "-s", "--server", "--cluster", "--user"]],
  ["npm", ["--prefix", "-w", "--workspace", "--registry"]],
  ["pnpm", ["-C", "--dir", "-F", "--filter"]],
  ["yarn", ["--cwd"]],
  ["cargo", ["-C", "--config", "--color", "-Z"]],
  ["make", ["-C", "-f", "--directory", "--file", "-I"]],
  ["systemctl", ["-H", "--host", "-M", "--machine"]],
  ["gh", ["-R", "--repo"]],
]);
