// Ours: a terminal of the dashboard, in a home with the built daemon, signed in by a one-time link.
import { readFileSync } from "node:fs";
import { DaemonHome } from "../../daemon/daemon-home.ts";
import { pidsWhere } from "../../daemon/process-facts.ts";
import type { Way } from "./way.ts";

export async function openHoldfast(scratch: string, daemonProgram: string): Promise<Way> {
  const home = await DaemonHome.open(scratch, daemonProgram);
  const client = await home.connect();
  await client.config.set({ key: "dashboard.port", value: 0 });
  return {
    name: "Holdfast",
    open: async (page) => {
      const { process } = await client.terminal.open({ key: "bench", cwd: "/", shell: "/bin/bash" });
      const { address, link } = await client.dashboard.open({});
      await page.goto(link);
      await page.waitForURL(`${address}/`);
      await page.goto(`${address}/terminals?open=${process.id}`);
      await page.getByRole("button", { name: "Take keyboard" }).click();
      await page.getByText("You type").waitFor();
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
