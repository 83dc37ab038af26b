// The daemon as a unit of systemd. docs/daemon.md says what each setting is for and what was tried.
import type { UnitPlan } from "./unit-plan.ts";

// Soon, since clients wait for it; but a daemon that somebody started beside the unit may have the home for days, and each try costs a start.
const restartSeconds = 2;
// Waits may finish; the rest is room to close a large store. Whoever is killed then has lost nothing.
const leastStopSeconds = 60;
const stopReserveSeconds = 30;
// One connection for each kept process and each client; systemd lowers it to what is allowed.
const mostOpenFiles = 524_288;

export function stopTimeoutSeconds(drainMs: number | null): number {
  return Math.max(leastStopSeconds, Math.ceil((drainMs ?? 0) / 1_000) + stopReserveSeconds);
}

/** Without the marker. */
export function systemdUnit(plan: UnitPlan): string {
  const { scope, account, home } = plan;
  const isSystem = scope === "system";
  return `
[Unit]
Description=Holdfast daemon (${plan.name})
# However often it fails: it is tried again.
StartLimitIntervalSec=0
${isSystem ? `RequiresMountsFor=${quoted(home)}\n` : ""}
[Service]
# Not notify: Node cannot send to a datagram socket.
Type=exec
ExecStart=${commandLine(plan.command)}
WorkingDirectory=/
Environment=${quoted(`HOLDFAST_HOME=${home}`)}
${isSystem ? `User=${account.name}\n` : ""}${restarting(plan)}
# Only the daemon is told to stop. Keepers, and what they keep, go on; the next daemon finds them.
KillMode=process
TimeoutStopSec=${stopTimeoutSeconds(plan.drainMs)}
# One process that eats all memory is no reason to end the others.
OOMPolicy=continue
ManagedOOMPreference=avoid
# Each kept process has a group of its own below this unit's.
Delegate=yes
TasksMax=infinity
LimitNOFILE=${mostOpenFiles}

[Install]
WantedBy=${isSystem ? "multi-user.target" : "default.target"}
`;
}

function restarting({ exitCodes }: UnitPlan): string {
  const { done, restart, configuration, terminated } = exitCodes;
  return `# Comes back after every end that was not meant: ${done} is a planned stop or a takeover, ${configuration} a configuration
# that no restart mends. ${restart} asks for a restart; ${terminated} is SIGTERM, by which systemctl stops it.
Restart=always
RestartSec=${restartSeconds}
RestartForceExitStatus=${restart}
RestartPreventExitStatus=${done} ${configuration}
SuccessExitStatus=${restart} ${terminated}`;
}

/** The first word is a path, in which systemd replaces no variables; in all others it would. */
function commandLine([program = "", ...args]: readonly string[]): string {
  return [quoted(program), ...args.map((argument) => quoted(argument).replaceAll("$", "$$$$"))].join(" ");
}

/** As one word, whatever it holds: %-specifiers, quotes and backslashes mean something to systemd. */
function quoted(text: string): string {
  const escaped = text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll("%", "%%");
  return /^[\w./:=@%+,-]+$/.test(escaped) ? escaped : `"${escaped}"`;
}
