// A full disk while watches find something: nothing of it is lost or told twice, and the end comes last, whoever is killed meanwhile.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KeptProcess } from "../../src/keeper/index.ts";
import { ask, refused } from "../support/daemon-calls.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { canMount, fillDisk, mountSmallDisk } from "../support/small-disk.ts";
import { hitsOf, noticesOf } from "../support/watch-calls.ts";

function makeRoom(home: string): void {
  for (const name of readdirSync(home).filter((file) => file.startsWith("filler-"))) rmSync(join(home, name));
}

test.skipIf(!canMount)(
  "what is found on a full disk is stored and told once when there is room, and the end after it",
  async () => {
    const home = mountSmallDisk("8m");
    const daemon = await openDaemonHome({
      home,
      environment: { HOLDFAST_WATCH_WINDOW_MS: "100", HOLDFAST_WATCH_STRIKES: "1000" },
    });
    const { id } = await ask(daemon, "process.start", {
      command: "echo begun; while read line; do echo $line; done; exit 3",
      cwd: "/",
      stdin: "open",
      notify: "end",
      watches: [{ kind: "text", text: "match" }],
    });
    /** Fits into the page that the log has: the output is kept, and nothing else can be written. */
    const find = async (...lines: string[]): Promise<void> => {
      const last = lines.at(-1) ?? "";
      await ask(daemon, "process.write", {
        id,
        parts: [{ text: lines.map((line) => `${line}\n`).join("") }],
      });
      await ask(daemon, "process.wait", { ids: [id], for: { kind: "match", text: last } });
      // Long enough for the matcher to have found them, and to have tried to store it.
      await ask(daemon, "process.wait", { ids: [id], for: { kind: "idle", ms: 1_000 } });
    };
    const told = async (): Promise<unknown[]> => {
      const notices = await noticesOf(daemon, id, "watch.matched", "watch.gap", "process.ended");
      return notices.map(({ kind, data }) => [kind, data["count"]]);
    };
    await ask(daemon, "process.wait", { ids: [id], for: { kind: "match", text: "begun" } });

    fillDisk(home);
    const another = { id, watch: { kind: "text", text: "another" } };
    expect((await refused(daemon, "watch.add", another)).code).toBe("STORE_FULL");
    await find("match 1", "none", "match 2");
    expect(await hitsOf(daemon, id)).toEqual([0]);
    makeRoom(home);
    await expect.poll(told, { timeout: 20_000 }).toEqual([["watch.matched", 2]]);
    expect(await hitsOf(daemon, id)).toEqual([2]);

    fillDisk(home);
    await find("match 3");
    await daemon.kill();
    const kept = new KeptProcess({ directory: join(home, "runs", id) });
    await kept.write("match 4\n");
    await kept.closeStdin();
    await kept.wait();
    kept.close();
    await daemon.start();
    expect(await told()).toEqual([["watch.matched", 2]]);
    makeRoom(home);
    const end = ["process.ended", undefined];
    await expect.poll(async () => (await told()).at(-1), { timeout: 20_000 }).toEqual(end);
    expect(await told()).toEqual([["watch.matched", 2], ["watch.matched", 2], end]);
    expect(await hitsOf(daemon, id)).toEqual([4]);
  },
);
