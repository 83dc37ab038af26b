// npm run bench shell: what it costs that a command runs in the shell of a session, beside the same command without one.
import { existsSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "../../src/sdk/index.ts";
import { buildPackage } from "../daemon/build-package.ts";
import { DaemonHome } from "../daemon/daemon-home.ts";
import { makeScratch } from "../keeper/bench.ts";
import { describeMachine } from "../keeper/machine.ts";
import { median } from "../keeper/statistics.ts";
import { barRow, rounds, type Row } from "../keeper/table.ts";

const barMs = 10;
const functionsBytes = 150_000;

/** From asking for it to knowing how it ended. */
async function runMs(
  client: Client,
  shell: string,
  home: string,
  session: string | undefined,
): Promise<number> {
  const began = performance.now();
  const { id } = await client.process.start({
    command: "export N=$((N + 1)); cd /usr; cd /tmp",
    cwd: "/",
    environment: { caller: { PATH: "/usr/local/bin:/usr/bin:/bin:/sbin", HOME: home, SHELL: shell } },
    ...(session === undefined ? { owner: { session: "plain" } } : { shell: { session } }),
  });
  await client.process.wait({ ids: [id] });
  return performance.now() - began;
}

/** Medians of rounds; both sides take turns. */
async function measure(
  client: Client,
  shell: string,
  home: string,
  counts: { rounds: number; runs: number },
) {
  const inSession: number[] = [];
  const plain: number[] = [];
  // The first captures functions and aliases, once.
  for (let at = 0; at < 5; at++) await runMs(client, shell, home, "s");
  for (let round = 0; round < counts.rounds; round++) {
    const own: number[] = [];
    const other: number[] = [];
    for (let run = 0; run < counts.runs; run++) {
      own.push(await runMs(client, shell, home, "s"));
      other.push(await runMs(client, shell, home, undefined));
    }
    inSession.push(median(own));
    plain.push(median(other));
  }
  return { inSession, plain };
}

function startupFile(shell: string): string {
  return shell.endsWith("zsh") ? ".zshrc" : ".bashrc";
}

function manyFunctions(): string {
  let text = "";
  for (let at = 0; text.length < functionsBytes; at++)
    text += `function_${at}() {\n  if [ "$1" = ${at} ]; then echo "this is number ${at}"; fi\n}\n`;
  return text;
}

export async function benchShell({ isQuick }: { readonly isQuick: boolean }): Promise<readonly Row[]> {
  const scratch = makeScratch();
  const counts = isQuick ? { rounds: 3, runs: 20 } : { rounds: 5, runs: 60 };
  const rows: Row[] = [];
  try {
    const { daemonProgram } = await buildPackage(scratch);
    console.log(`${describeMachine(scratch)}\n`);
    for (const shell of ["/bin/sh", "/bin/bash", "/usr/bin/zsh"].filter((path) => existsSync(path))) {
      for (const hasFunctions of shell === "/bin/sh" ? [false] : [false, true]) {
        // HOME of the daemon, where start-up files are looked for.
        writeFileSync(join(scratch, startupFile(shell)), hasFunctions ? manyFunctions() : "");
        await using daemon = await DaemonHome.open(scratch, daemonProgram);
        const client = await daemon.connect();
        const { inSession, plain } = await measure(client, shell, scratch, counts);
        client.close();
        const more = median(inSession) - median(plain);
        rows.push(
          barRow({
            work: `one command in a session, ${shell}${hasFunctions ? ", 150 kB of functions" : ""}`,
            ours: rounds(inSession, "ms"),
            other: rounds(plain, "ms"),
            ratio: `+${more.toFixed(1)} ms`,
            bar: `under +${barMs} ms`,
            holds: more < barMs,
          }),
        );
      }
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return rows;
}
