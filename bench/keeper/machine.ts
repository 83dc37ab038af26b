// What a table of measurements is worth nothing without: where and on what it was made.
import { readFileSync, statfsSync } from "node:fs";
import { availableParallelism, cpus, loadavg, release, totalmem } from "node:os";

const fileSystems = new Map([
  [0xef53, "ext4"],
  [0x01021994, "tmpfs"],
  [0x9123683e, "btrfs"],
  [0x58465342, "xfs"],
  [0x794c7630, "overlay"],
]);

export function describeMachine(directory: string): string {
  const load = loadavg()
    .map((value) => value.toFixed(2))
    .join(" ");
  const type = statfsSync(directory).type;
  return [
    `kernel ${release()}, ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `${distribution()}, Node ${process.version}`,
    `files in ${directory} (${fileSystems.get(type) ?? `file system ${type.toString(16)}`})`,
    `load before: ${load}`,
  ].join("\n");
}

function distribution(): string {
  try {
    return /^PRETTY_NAME="(.*)"$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? "unknown system";
  } catch {
    return process.platform;
  }
}
