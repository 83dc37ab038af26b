// The last step of a daemon.
import type { Supervisor } from "../protocol/daemon.ts";
import type { Farewell } from "./farewell.ts";

/**
 * One that shall come back leaves that to its service manager. Without one, and in a container, whose other processes would end with its
 * first, it starts itself anew in its own place.
 */
export function endProgram({ exitCode, restart }: Farewell, supervisor: Supervisor | undefined): never {
  const isBroughtBack = supervisor?.kind === "systemd" || supervisor?.kind === "launchd";
  if (restart && !isBroughtBack) executeAgain();
  process.exit(exitCode);
}

/** Returns only where the platform cannot do it. Without arguments: there is nobody to replace any more. */
function executeAgain(): void {
  const [program = ""] = process.argv.slice(1);
  const entries = Object.entries(process.env);
  const environment = Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  try {
    process.execve?.(process.execPath, [process.execPath, ...process.execArgv, program], environment);
  } catch {
    // the exit code says the rest
  }
}
