// The places of a machine that matter to a confined command: what every program writes to, and what would lead it out.
import { homedir, tmpdir } from "node:os";
import { join, resolve, sep } from "node:path";

/** Written to by nearly everything, and nobody's. A terminal of its own is always writable. */
export const deviceFiles: readonly string[] = [
  "/dev/null",
  "/dev/zero",
  "/dev/full",
  "/dev/random",
  "/dev/urandom",
  "/dev/tty",
  "/dev/ptmx",
];

/** Each confined command has its own: of others' terminals and shared memory it sees nothing. */
export const ownPlaces: readonly string[] = ["/dev/pts", "/dev/shm"];

export function temporaryPlaces(): string[] {
  return ["/tmp", "/var/tmp", resolve(tmpdir())];
}

/**
 * Who can connect there can have something run, outside of any confinement, as this user or as root. Directories where possible: a hidden
 * socket shows again when it is made anew.
 */
export function commandDoors(uid: number): string[] {
  return [
    `/run/user/${uid}`, // systemd --user, D-Bus, Wayland, podman, agents
    "/run/dbus",
    "/run/systemd/private",
    "/run/docker.sock",
    "/run/podman",
    "/run/containerd",
    "/run/crio",
    "/run/libvirt",
    "/run/snapd.socket",
    "/run/screen",
    `/tmp/tmux-${uid}`,
    "/tmp/.X11-unix",
    "/tmp/.ICE-unix",
  ];
}

/** Where a daemon that cannot write to its home listens, and where the shells of sessions keep what they remember. */
export function ownFolderIn(base: string, uid: number): string {
  return join(base, `holdfast-${uid}`);
}

/** `~` is this user's home directory. The path need not exist. */
export function expandHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? resolve(homedir(), path.slice(2)) : resolve(path);
}

export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/**
 * Without those that lie inside another. By their names, before any link is followed: a command that may write in a directory must not be
 * able to give the next one more by a link in it.
 */
export function outermost(paths: readonly string[]): string[] {
  const unique = [...new Set(paths)];
  return unique.filter((path) => !unique.some((other) => other !== path && isWithin(path, other)));
}
