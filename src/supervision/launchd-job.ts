// The daemon as a launchd agent of the user who is logged in. Written with care, read back by a parser, never run by us.
import { join } from "node:path";
import { stopTimeoutSeconds } from "./systemd-unit.ts";
import type { UnitPlan } from "./unit-plan.ts";

type Value = string | number | boolean | readonly string[] | { readonly [key: string]: Value };

// launchd starts nothing more often than this; it has no code that says "never again", so 78 is tried again as well.
const throttleSeconds = 10;
const mostOpenFiles = 524_288;

/** Without the marker. */
export function launchdJob(plan: UnitPlan): string {
  return `<plist version="1.0">\n${render(jobOf(plan), "")}\n</plist>\n`;
}

function jobOf(plan: UnitPlan): Value {
  return {
    Label: plan.name,
    ProgramArguments: plan.command,
    EnvironmentVariables: { HOLDFAST_HOME: plan.home },
    WorkingDirectory: "/",
    RunAtLoad: true,
    // Back after every end but a planned stop or a takeover, which end with 0.
    KeepAlive: { SuccessfulExit: false },
    ThrottleInterval: throttleSeconds,
    // Else launchd kills what is left of the daemon's group when the daemon goes.
    AbandonProcessGroup: true,
    ExitTimeOut: stopTimeoutSeconds(plan.drainMs),
    // What is kept inherits it: a development server must not be throttled like background work.
    ProcessType: "Interactive",
    SoftResourceLimits: { NumberOfFiles: mostOpenFiles },
    StandardErrorPath: join(plan.home, "launchd.log"),
  };
}

function render(value: Value, indent: string): string {
  if (typeof value === "boolean") return `${indent}<${value}/>`;
  if (typeof value === "number") return `${indent}<integer>${value}</integer>`;
  if (typeof value === "string") return `${indent}<string>${escapeXml(value)}</string>`;
  const inner = `${indent}  `;
  if (isList(value)) {
    return `${indent}<array>\n${value.map((item) => render(item, inner)).join("\n")}\n${indent}</array>`;
  }
  const entries = Object.entries(value).map(
    ([key, item]) => `${inner}<key>${escapeXml(key)}</key>\n${render(item, inner)}`,
  );
  return `${indent}<dict>\n${entries.join("\n")}\n${indent}</dict>`;
}

function isList(value: Value): value is readonly string[] {
  return Array.isArray(value);
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
