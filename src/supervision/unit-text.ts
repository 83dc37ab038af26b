// The whole text of a unit file, and how one that is there compares with it.
import { launchdJob } from "./launchd-job.ts";
import { bodyOf, markerText, parseMarker } from "./marker.ts";
import { systemdUnit } from "./systemd-unit.ts";
import type { UnitPlan } from "./unit-plan.ts";

/**
 * missing; current: what this build would write; outdated: another build wrote it, or for other paths; changed: by hand, after we
 * wrote it; foreign: not ours, or for another home.
 */
export type UnitState = "missing" | "current" | "outdated" | "changed" | "foreign";

export interface UnitComparison {
  readonly state: UnitState;
  /** Which release wrote it; null when none of ours did. */
  readonly writtenBy: string | null;
  /** Which settings differ; of a launchd file they are not told apart. */
  readonly differences: readonly string[];
}

export function unitText(plan: UnitPlan): string {
  const { home, version } = plan;
  if (plan.manager === "systemd") {
    const body = systemdUnit(plan);
    const edit = `systemctl ${plan.scope === "user" ? "--user " : ""}edit ${plan.fullName}`;
    return `# By \`holdfast daemon install\`, which also replaces it. Settings of your own belong beside it: ${edit}
# ${markerText({ version, home, body })}
${body}`;
  }
  const body = launchdJob(plan);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${markerText({ version, home, body })} -->
${body}`;
}

/** Undefined stands for no file. */
export function compareUnit(text: string | undefined, plan: UnitPlan): UnitComparison {
  if (text === undefined) return { state: "missing", writtenBy: null, differences: [] };
  const marker = parseMarker(text);
  if (marker === undefined || marker.home !== plan.home) {
    return { state: "foreign", writtenBy: marker?.version ?? null, differences: [] };
  }
  const differing = differingSettings(bodyOf(text), bodyOf(unitText(plan)));
  const differences =
    plan.drainMs === null ? differing.filter((name) => name !== "TimeoutStopSec") : differing;
  const state = differences.length === 0 ? "current" : marker.isUntouched ? "outdated" : "changed";
  return { state, writtenBy: marker.version, differences };
}

/** Names of settings with another value, one more or one less. Comments are none; of XML the whole text counts. */
function differingSettings(found: string, wanted: string): string[] {
  const [before, after] = [settingsOf(found), settingsOf(wanted)];
  if (after.length === 0) return found === wanted ? [] : ["text"];
  const lines = [
    ...before.filter((line) => !after.includes(line)),
    ...after.filter((line) => !before.includes(line)),
  ];
  return [...new Set(lines.map((line) => line.slice(0, line.indexOf("="))))];
}

function settingsOf(body: string): string[] {
  return body.split("\n").filter((line) => /^\w+=/.test(line));
}
