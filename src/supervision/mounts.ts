// Which file system a path is on, as the kernel tells it.
import { closeSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

export interface Mount {
  readonly id: number;
  readonly place: string;
  /** ext4, nfs4, fuse.sshfs, … */
  readonly type: string;
  /** Of the mount: rw, noexec, nosuid, … */
  readonly options: readonly string[];
}

/** Reads the text of /proc/PID/mountinfo. Lines it does not understand are left out. */
export function parseMountInfo(text: string): Mount[] {
  return text.split("\n").flatMap((line) => {
    // Between the options and the hyphen stands any number of further fields.
    const [before = "", after = ""] = line.split(" - ");
    const [id, , , , place, options] = before.split(" ");
    const [type] = after.split(" ");
    if (!place || !options || !type) return [];
    return [
      { id: Number(id), place: unescapeOctal(place), type: unescapeOctal(type), options: options.split(",") },
    ];
  });
}

/**
 * Of the path, or of its first ancestor that exists. By the kernel's number: of two mounts at one place, or one over the parent of
 * another, the path alone does not tell which is seen. Undefined where there is no /proc.
 */
export function mountOf(path: string): Mount | undefined {
  try {
    const id = mountIdOf(path);
    return parseMountInfo(readFileSync("/proc/self/mountinfo", "utf8")).find((mount) => mount.id === id);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return isMissing && path !== dirname(path) ? mountOf(dirname(path)) : undefined;
  }
}

function mountIdOf(path: string): number {
  const descriptor = openSync(path, "r");
  try {
    return Number(/^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1]);
  } finally {
    closeSync(descriptor);
  }
}

/** Blanks and backslashes are written as three octal digits. */
function unescapeOctal(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, 8)),
  );
}
