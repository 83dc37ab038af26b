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

/** Returns only where the platform cannot do it. There is nobody to replace any more; who is let in stays as it was asked for. */
function executeAgain(): void {
  const [program = "", ...args] = process.argv.slice(1);
  const kept = args.filter((argument) => argument === "--insecure");
  const entries = Object.entries(process.env);
  const environment = Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  try {
    process.execve?.(
      process.execPath,
      [process.execPath, ...process.execArgv, program, ...kept],
      environment,
    );
  } catch {
    // the exit code says the rest
  }
}
