// How a desktop notice is shown on this system, and how the desktop is found from a daemon that was not started on it.
import { existsSync } from "node:fs";
import { join } from "node:path";

const appleScript = [
  "on run argv",
  "display notification (item 2 of argv) with title (item 1 of argv)",
  "end run",
] as const;

/** Title and text follow. */
export function desktopCommand(platform: NodeJS.Platform): string[] {
  if (platform === "darwin") return ["osascript", ...appleScript.flatMap((line) => ["-e", line])];
  return ["notify-send", "--app-name=Holdfast", "--"];
}

/** A daemon that was started at boot, or over ssh, was not told where the bus of the user's desktop is. */
export function desktopEnvironment(
  environment: NodeJS.ProcessEnv,
  exists: (path: string) => boolean = existsSync,
): NodeJS.ProcessEnv {
  if (environment["DBUS_SESSION_BUS_ADDRESS"]) return environment;
  const runtime = environment["XDG_RUNTIME_DIR"] || `/run/user/${process.getuid?.() ?? ""}`;
  const bus = join(runtime, "bus");
  if (!exists(bus)) return environment;
  return { ...environment, XDG_RUNTIME_DIR: runtime, DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` };
}
