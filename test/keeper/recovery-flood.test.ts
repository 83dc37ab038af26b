import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openKeeperHome } from "../support/keeper-home.ts";
import { testDirectory } from "../support/test-home.ts";

// Every line tells where it belongs. Out of a file it comes faster than it can be stored, so that a kill finds bytes under way.
const makeSource = 'seq 20000000 > "$1"';
const killAtBytes = [20, 50, 80, 110, 140].map((megabytes) => megabytes * 1_000_000);

async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path)) hash.update(part as Buffer); // no encoding is set
  return hash.digest("hex");
}

test("keepers killed in the middle of a flood lose and double no byte", async () => {
  const source = join(testDirectory(), "source");
  execFileSync("sh", ["-c", makeSource, "sh", source]);
  const keeper = await openKeeperHome();
  // It stays until the last kill, however much of the flood a paused test has let pass.
  const script = `cat ${source}; read end; exit 3`;
  const run = await keeper.shell(script, { headLimitBytes: 2 ** 30, stdin: "open" });
  const log = join(run.directory, "0000000000000000.log");
  const keeperPid = (): number =>
    Number(/^pid (\d+)$/m.exec(readFileSync(join(run.directory, "keeper"), "utf8"))?.[1]);
  const killed = new Set<number>();
  for (const bytes of killAtBytes) {
    await expect.poll(() => statSync(log).size, { interval: 1, timeout: 20_000 }).toBeGreaterThan(bytes);
    await expect.poll(() => killed.has(keeperPid()), { interval: 1 }).toBe(false);
    killed.add(keeperPid());
    process.kill(keeperPid(), "SIGKILL");
  }
  await using kept = keeper.kept(run.id);
  await kept.write("\n");
  expect((await run.ended).exit).toEqual({ kind: "exited", code: 3 });
  expect(killed.size).toBe(killAtBytes.length);
  expect(await sha256(log)).toBe(await sha256(source));
});
