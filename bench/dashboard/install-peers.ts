// Puts the peers in place, under the machine's own Node: their add-on is made for that one.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { peersDirectory } from "../daemon/ways/pm2.ts";

const needed = ["wetty", "node-pty", "ws", "@xterm/xterm", "@xterm/addon-fit"];

function areThere(): boolean {
  return needed.every((name) => existsSync(join(peersDirectory, "node_modules", name, "package.json")));
}

/** False: they are not there and cannot be installed. */
export function installPeers(): boolean {
  if (areThere()) return true;
  console.error("installing wetty and node-pty …");
  const install = ["install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
  // Not the project's Node, which npm scripts put first.
  const env = { ...process.env, PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" };
  spawnSync("npm", install, { cwd: peersDirectory, stdio: "ignore", env });
  if (areThere()) return true;
  console.log("left out: wetty and node-pty are not installed and cannot be");
  return false;
}
