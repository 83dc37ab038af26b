// What `npm start` ends with: the daemon of this home runs, and the first commands are shown.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureDashboard } from "./setup/dashboard.mjs";

const holdfast = join(import.meta.dirname, "../bin/holdfast");

function run(...words: string[]): number {
  const { status, error } = spawnSync(holdfast, words, { stdio: "inherit" });
  if (error) throw error;
  return status ?? 1;
}

/** The dashboard's address, as a link that signs one browser in; or why there is none. */
function dashboardText(): string {
  const { stdout, stderr, status } = spawnSync(holdfast, ["open", "--print"], { encoding: "utf8" });
  if (status !== 0) return `The dashboard is not open: ${stderr.trim()}`;
  return `The dashboard, for one browser, within five minutes (later: bin/holdfast open):\n\n  ${stdout.trim()}`;
}

await ensureDashboard();
const status = run("daemon", "start") || run("daemon", "status");
if (status === 0) {
  console.log(`
${dashboardText()}

Holdfast is ready. Try:

  bin/holdfast run -d --name clock -- sh -c 'while date; do sleep 1; done'
  bin/holdfast ps
  bin/holdfast logs -f clock      # Ctrl-C leaves it; the process goes on
  bin/holdfast stop clock
  bin/holdfast daemon stop        # processes go on without the daemon, too

  npm run demo                    # one process, and everything around it killed while it runs`);
}
process.exitCode = status;
