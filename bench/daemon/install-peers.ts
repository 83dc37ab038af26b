// What the daemon is measured beside. Installed by the bench and by nothing else; what cannot be is left out with a line.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { WayName } from "./ways/names.ts";
import { peersDirectory } from "./ways/pm2.ts";

interface Peer {
  readonly name: WayName;
  /** There when it is installed. */
  readonly file: string;
  /** Debian's package; pm2 comes from npm. */
  readonly systemPackage?: string;
}

const peers: readonly Peer[] = [
  { name: "task-spooler", file: "/usr/bin/tsp", systemPackage: "task-spooler" },
  { name: "tmux", file: "/usr/bin/tmux", systemPackage: "tmux" },
  { name: "tmux, its commands", file: "/usr/bin/tmux" },
  { name: "pm2", file: join(peersDirectory, "node_modules/pm2/package.json") },
  { name: "supervisord", file: "/usr/bin/supervisord", systemPackage: "supervisor" },
];

/** The names of those that are there now. */
export function installPeers(): WayName[] {
  const isMissing = ({ file }: Peer): boolean => !existsSync(file);
  const packages = peers.filter(isMissing).flatMap(({ systemPackage }) => systemPackage ?? []);
  if (packages.length > 0 && process.getuid?.() === 0) {
    console.error(`installing ${packages.join(" ")} …`);
    const unattended = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("apt-get", ["update", "-qq"], { stdio: "ignore", env: unattended });
    const install = ["install", "-y", "-qq", "--no-install-recommends", ...packages];
    spawnSync("apt-get", install, { stdio: "ignore", env: unattended });
  }
  if (peers.some((peer) => peer.name === "pm2" && isMissing(peer))) {
    console.error("installing pm2 …");
    const install = ["install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
    spawnSync("npm", install, { cwd: peersDirectory, stdio: "ignore" });
  }
  for (const { name } of peers.filter(isMissing))
    console.log(`left out: ${name} is not installed and cannot be`);
  return peers.filter((peer) => !isMissing(peer)).map(({ name }) => name);
}
