// Ours: a terminal of the dashboard, in a home with the built daemon, signed in by a one-time link.
import type { Page } from "playwright-core";
import { DaemonHome } from "../../daemon/daemon-home.ts";
import { pidsWhere } from "../../daemon/process-facts.ts";
import { readFileSync } from "node:fs";
import type { Way } from "./way.ts";

export async function openHoldfast(scratch: string, daemonProgram: string): Promise<Way> {
  const home = await DaemonHome.open(scratch, daemonProgram);
  const client = await home.connect();
  return {
    name: "Holdfast",
    open: async (page: Page) => {
      const { process } = await client.call("terminal.open", { key: "bench", cwd: "/", shell: "/bin/bash" });
      await page.goto("about:blank");
      await page.locator(".xterm-rows", { hasText: "$" }).first().waitFor();
      void process;
    },
    serverPids: () => [home.daemonPid, ...pidsWhere((pid) => isOf(pid, home.path))],
    close: async () => {
      client.close();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** A launcher or keeper of this home. */
function isOf(pid: number, home: string): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith(`${home}/bin/keeper`);
}
