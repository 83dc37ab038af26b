// Runs something of the daemon's own to its end, as a kept process like any other, and leaves nothing of it behind.
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { readStoredOutput, runDirectory, type Launcher } from "../../keeper/index.ts";
import { HoldfastError } from "../../protocol/errors.ts";
import type { RunToEnd } from "./login-environment.ts";

/** Runs of the daemon's own, and those it removes: never listed, removed by recovery when a daemon dies over one. */
export const ownRunPrefix = "x_";

export function runToEnd(launcher: Launcher, home: string): RunToEnd {
  return async ({ argv, env, timeoutMs }) => {
    const id = ownRunPrefix + randomBytes(8).toString("hex");
    const directory = runDirectory(home, id);
    try {
      // The limit ends the whole tree, with no daemon needed.
      const outcome = await launcher.start({ id, argv, env, cwd: "/", wallLimitMs: timeoutMs, graceMs: 0 });
      if (outcome.kind === "failed")
        throw new HoldfastError("INTERNAL", `${argv[0]} cannot be run.`, { details: { ...outcome } });
      const { exit } = await outcome.ended;
      if (exit.kind !== "exited" || exit.code !== 0) {
        throw new HoldfastError("INTERNAL", `${argv[0]} did not end well.`, { details: { exit } });
      }
      return await standardOutput(directory);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  };
}

async function standardOutput(directory: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  let isStandardOutput = true;
  for await (const event of readStoredOutput(directory, { marks: true })) {
    if (event.kind === "mark" && (event.mark === "stdout" || event.mark === "stderr"))
      isStandardOutput = event.mark === "stdout";
    if (event.kind === "data" && isStandardOutput) parts.push(event.bytes);
  }
  return Buffer.concat(parts);
}
