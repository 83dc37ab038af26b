// What the build and the tests need from the system, and why. One table; nothing else names a package.
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { runOrExit } from "./run.mjs";

/**
 * `command` proves the package on systems without dpkg.
 * @typedef {{ name: string, command?: string, for: "build" | "test", why: string }} SystemPackage
 */

/** @type {readonly SystemPackage[]} */
export const systemPackages = [
  { name: "make", command: "make", for: "build", why: "builds the keeper" },
  { name: "gcc", command: "cc", for: "build", why: "compiles the keeper" },
  { name: "musl-tools", command: "musl-gcc", for: "build", why: "links the keeper statically and small" },
  { name: "gcc-aarch64-linux-gnu", command: "aarch64-linux-gnu-gcc", for: "test", why: "keeper for arm64" },
  { name: "libc6-dev-arm64-cross", for: "test", why: "static C library for the arm64 keeper" },
  { name: "qemu-user-static", command: "qemu-aarch64-static", for: "test", why: "runs the arm64 keeper" },
  { name: "openssh-server", command: "sshd", for: "test", why: "keeper attach over ssh on loopback" },
  { name: "openssh-client", command: "ssh", for: "test", why: "keeper attach over ssh on loopback" },
  { name: "zsh", command: "zsh", for: "test", why: "shell sessions in another shell than bash and sh" },
  { name: "procps", command: "ps", for: "test", why: "an independent view of what is running" },
  { name: "systemd", command: "systemd-analyze", for: "test", why: "checks and runs the daemon's unit" },
  { name: "chromium", command: "chromium", for: "test", why: "shows the dashboard" },
  { name: "fonts-dejavu-core", for: "test", why: "letters for the browser" },
  { name: "fonts-noto-cjk", for: "test", why: "wide characters in terminals" },
  { name: "vim-tiny", command: "vim.tiny", for: "test", why: "a full-screen program in a terminal" },
  { name: "less", command: "less", for: "test", why: "a pager in a terminal" },
  { name: "python3", command: "python3", for: "test", why: "an independent reader of the launchd file" },
  {
    name: "clang",
    command: "clang",
    for: "test",
    why: "fuzzes the frame parser and the run directory reader",
  },
  { name: "libclang-rt-14-dev", for: "test", why: "the fuzzer's runtime library" },
];

/** @param {readonly SystemPackage[]} packages @returns {Set<string> | undefined} undefined: no dpkg here */
function installedAccordingToDpkg(packages) {
  const format = "${Package} ${db:Status-Status}\\n";
  const answer = spawnSync("dpkg-query", ["-W", `-f=${format}`, ...packages.map(({ name }) => name)], {
    encoding: "utf8",
  });
  if (answer.error) return undefined;
  const lines = answer.stdout.split("\n").filter((line) => line.endsWith(" installed"));
  return new Set(lines.map((line) => line.replace(/ installed$/, "")));
}

/** @param {string} command */
function isCommand(command) {
  // sshd lies in a directory that the PATH of an ordinary user leaves out.
  const directories = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  return directories.some((directory) => {
    try {
      accessSync(join(directory, command), constants.X_OK);
      return true;
    } catch {
      return false; // Not in this directory.
    }
  });
}

/** @param {"build" | "test"} purpose "test" includes "build" @returns {SystemPackage[]} */
export function missingSystemPackages(purpose) {
  const needed = systemPackages.filter((entry) => purpose === "test" || entry.for === "build");
  const installed = installedAccordingToDpkg(needed);
  return needed.filter(({ name, command }) => {
    if (command && isCommand(command)) return false;
    // Without dpkg a package that has no command cannot be proven missing: the build will tell.
    return installed ? !installed.has(name) : command !== undefined;
  });
}

/**
 * Installs what is missing when it may (root and apt-get), else names it and stops.
 * @param {"build" | "test"} purpose
 */
export function ensureSystemPackages(purpose) {
  const missing = missingSystemPackages(purpose);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  if (process.getuid?.() !== 0 || !isCommand("apt-get")) {
    console.error("holdfast: these system packages are missing:");
    for (const { name, why } of missing) console.error(`  ${name.padEnd(24)} ${why}`);
    console.error(`Install them, on Debian with: sudo apt-get install -y ${names.join(" ")}`);
    process.exit(1);
  }
  console.log(`holdfast: installing ${names.join(" ")}`);
  const unattended = { DEBIAN_FRONTEND: "noninteractive" };
  runOrExit("apt-get", ["update", "-qq"], "the package list could not be read", unattended);
  const install = ["install", "-y", "-qq", "--no-install-recommends", ...names];
  runOrExit("apt-get", install, "system packages could not be installed", unattended);
}
