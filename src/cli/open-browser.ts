// Starts the person's browser with an address.
import { spawn } from "node:child_process";
import { once } from "node:events";

interface Opener {
  readonly program: string;
  readonly args: readonly string[];
  /** What it reads, where the address need not be an argument: others on the machine see those. */
  readonly input?: string;
}

function openerFor(address: string, environment: NodeJS.ProcessEnv): Opener | undefined {
  if (process.platform === "darwin")
    return { program: "osascript", args: ["-"], input: `open location ${JSON.stringify(address)}` };
  // Without a display xdg-open would take over the terminal with a browser of its own.
  const hasDisplay = Boolean(environment["DISPLAY"] || environment["WAYLAND_DISPLAY"]);
  return hasDisplay ? { program: "xdg-open", args: [address] } : undefined;
}

/** Why none was started, in words; undefined when one was. */
export async function openBrowser(
  address: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const opener = openerFor(address, environment);
  if (opener === undefined) return "there is no display here";
  const child = spawn(opener.program, opener.args, {
    detached: true,
    env: environment,
    stdio: [opener.input === undefined ? "ignore" : "pipe", "ignore", "ignore"],
  });
  try {
    await once(child, "spawn");
  } catch (error) {
    return `${opener.program}: ${error instanceof Error ? error.message : String(error)}`;
  }
  child.stdin?.end(opener.input);
  child.unref();
  return undefined;
}
