// The two web terminals we are measured beside. They run under the machine's own Node, for which their add-on is made.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { peersDirectory } from "../../daemon/ways/pm2.ts";
import type { Way } from "./way.ts";

const machineNode = ["/usr/bin/node", "/usr/local/bin/node"].find((path) => existsSync(path)) ?? "node";

interface PeerServer {
  readonly name: string;
  readonly arguments: readonly string[];
  readonly origin: string;
}

async function openPeer({ name, arguments: words, origin }: PeerServer): Promise<Way> {
  const child = spawn(machineNode, words, {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: "/tmp",
      PS1: "$ ",
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
    },
  });
  child.stdout.resume();
  await answers(origin, child);
  return {
    name,
    open: (page) => openShell(page, origin),
    serverPids: () => (child.pid === undefined ? [] : [child.pid]),
    close: () => end(child),
  };
}

async function openShell(page: Page, origin: string): Promise<void> {
  await page.goto(origin);
  await page.locator(".xterm-rows", { hasText: "$" }).first().waitFor();
}

async function answers(origin: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`a peer ended with ${child.exitCode}`);
    const isThere = await fetch(origin).then(
      (answer) => answer.ok,
      () => false, // not yet
    );
    if (isThere) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
  throw new Error(`nothing answers at ${origin}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

export async function openWetty(port: number): Promise<Way> {
  return await openPeer({
    name: "wetty",
    arguments: [
      join(peersDirectory, "node_modules/wetty/build/main.js"),
      "--host",
      "127.0.0.1",
      "--port",
      String(port),
      "--base",
      "/",
      "--command",
      "bash --norc",
      "--log-level",
      "error",
    ],
    origin: `http://127.0.0.1:${port}/`,
  });
}

export async function openBare(port: number): Promise<Way> {
  return await openPeer({
    name: "node-pty + ws",
    arguments: [join(import.meta.dirname, "../programs/bare-server.mjs"), peersDirectory, String(port)],
    origin: `http://127.0.0.1:${port}/`,
  });
}
