// What `npm run demo` shows: one process, and everything around it killed while it runs.
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { installBinary, KeptProcess, Launcher } from "../src/keeper/index.ts";

const script = `i=1; while [ $i -le 6 ]; do echo "line $i"; read go; i=$((i+1)); done; exit 42`;

function recordedPid(path: string): number {
  return Number(/^pid (\d+)$/m.exec(readFileSync(path, "utf8"))?.[1]);
}

async function show(home: string): Promise<void> {
  const launcher = await Launcher.open({ home, binary: await installBinary(home) });
  const outcome = await launcher.start({
    id: "demo",
    argv: ["/bin/sh", "-c", script],
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    cwd: "/",
    stdin: "open",
  });
  if (outcome.kind === "failed")
    throw new Error(`The demo could not start: ${outcome.stage}, errno ${outcome.errno}`);
  console.log(
    `started pid ${outcome.pid}: a shell that prints a line each time it is told to, and exits with 42`,
  );
  const kept = new KeptProcess({ directory: outcome.directory, recover: () => launcher.recover("demo") });
  const victims = new Map([
    ["line 2", { name: "keeper", path: join(outcome.directory, "keeper") }],
    ["line 4", { name: "launcher", path: join(home, "launcher.lock") }],
    ["line 5", { name: "keeper", path: join(outcome.directory, "keeper") }],
  ]);
  for await (const event of kept.output({ from: 0, follow: true })) {
    if (event.kind !== "data") continue;
    for (const line of event.bytes.toString().trim().split("\n")) {
      console.log(`  [offset ${event.offset}] ${line}`);
      const victim = victims.get(line);
      if (victim) {
        const pid = recordedPid(victim.path);
        process.kill(pid, "SIGKILL");
        console.log(`  kill -9 of its ${victim.name} (pid ${pid})`);
        // Both dead at the same instant would be told as lost. The next launcher is there in milliseconds.
        if (victim.name === "launcher") while ((await launcher.status()).held === 0) await delay(1);
      }
      await kept.write("go\n");
    }
  }
  const record = await kept.wait();
  console.log(`ended: ${JSON.stringify(record.exit)}, ${record.outputBytes} bytes of output, none lost`);
  kept.close();
  const { pid } = await launcher.status();
  await launcher.close();
  process.kill(pid, "SIGTERM");
}

const home = await mkdtemp(join(tmpdir(), "holdfast-demo-"));
try {
  await show(home);
} finally {
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
