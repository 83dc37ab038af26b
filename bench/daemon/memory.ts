// What it costs to hold 200 processes that do nothing; the processes themselves are left out.
import { infoRow, type Row } from "../keeper/table.ts";
import type { BenchSetting } from "./bench-setting.ts";
import { DaemonHome } from "./daemon-home.ts";
import { OpenedWay } from "./open-way.ts";
import { pssKiB } from "./process-facts.ts";

const held = 200;

export async function measureMemory(setting: BenchSetting): Promise<readonly Row[]> {
  await using home = await DaemonHome.open(setting.scratch, setting.daemonProgram);
  await using ours = await OpenedWay.open("holdfast", home.path);
  await ours.do("hold", { count: held });
  const [daemon = 0, ...keepers] = await ours.do("pids", {});
  const others: string[] = [];
  for (const name of setting.peers) {
    if (name === "tmux, its commands") continue; // the same server as tmux
    await using way = await OpenedWay.open(name, home.path);
    await way.do("hold", { count: held });
    others.push(`${mebibytes(await way.do("pids", {}))} ${name}`);
  }
  return [
    infoRow(
      `memory (PSS) while ${held} processes do nothing: daemon, launcher and keepers`,
      `${mebibytes([daemon, ...keepers])}, ${mebibytes([daemon])} of it the daemon`,
      others.join(", "),
    ),
  ];
}

function mebibytes(pids: readonly number[]): string {
  return `${(pssKiB(pids) / 1024).toFixed(1)} MiB`;
}
