import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ask, refused, runToEnd } from "../support/daemon-calls.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { canMount, fillDisk, mountSmallDisk } from "../support/small-disk.ts";

test.skipIf(!canMount)(
  "on a full disk reads are answered, a start is a coded error or an ended process, and all goes on when there is room",
  async () => {
    const home = mountSmallDisk("8m");
    const daemon = await openDaemonHome({ home });
    const before = await runToEnd(daemon, "echo before");
    const live = await ask(daemon, "process.start", {
      command: "while read line; do echo $line; done",
      cwd: "/",
      stdin: "open",
    });
    fillDisk(home);
    expect((await ask(daemon, "process.output", { id: before })).text).toBe("before\n");
    expect((await ask(daemon, "process.list", {})).processes).toHaveLength(2);
    expect((await ask(daemon, "process.get", { id: live.id })).state).toBe("running");
    expect(await ask(daemon, "daemon.status", {})).toMatchObject({ running: 1 });
    const codes = new Set<string>();
    for (let i = 0; i < 20; i++) {
      const { status, body } = await daemon.call("process.start", {
        command: "head -c 100000 /dev/zero",
        cwd: "/",
      });
      codes.add(
        status === 200 ? (body as { state: string }).state : (body as { error: { code: string } }).error.code,
      );
    }
    for (const code of codes) expect(["running", "ended", "STORE_FULL"]).toContain(code);
    expect(codes.has("STORE_FULL") || codes.has("ended")).toBe(true);
    for (const name of readdirSync(home).filter((file) => file.startsWith("filler-")))
      rmSync(join(home, name));
    await ask(daemon, "process.write", { id: live.id, parts: [{ text: "after\n" }] });
    await ask(daemon, "process.wait", {
      ids: [live.id],
      for: { kind: "match", text: "after" },
      timeoutMs: 10_000,
    });
    // What ended while its end could not be stored is told as ended now.
    const running = async (): Promise<number> => (await ask(daemon, "process.active", {})).running;
    await expect.poll(running, { timeout: 10_000 }).toBe(1);
    const again = await runToEnd(daemon, "echo again; exit 2");
    expect(await ask(daemon, "process.get", { id: again })).toMatchObject({
      exit: { kind: "exited", code: 2 },
      lastLine: "again",
    });
    await ask(daemon, "process.stop", { all: true, graceMs: 0 });
    expect(await refused(daemon, "process.write", { id: live.id, parts: [{ text: "x" }] })).toMatchObject({
      code: "PROCESS_ENDED",
    });
  },
);
