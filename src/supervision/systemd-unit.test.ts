import { expect, test } from "vitest";
import { bodyOf, markerText, parseMarker } from "./marker.ts";
import { stopTimeoutSeconds } from "./systemd-unit.ts";
import { planUnit, type Scope, type UnitPlan } from "./unit-plan.ts";
import { unitText } from "./unit-text.ts";

const exitCodes = { done: 0, restart: 75, configuration: 78, terminated: 143 };

function planFor(home: string, scope: Scope = "user"): UnitPlan {
  const environment = { HOME: "/srv/nobody", HOLDFAST_HOME: home };
  return planUnit({ environment, manager: "systemd", scope, version: "0.1.0", exitCodes, drainMs: 2_000 });
}

function settingsOf(text: string): string[] {
  return text.split("\n").filter((line) => /^[A-Z]\w+=/.test(line));
}

test("a restart of the unit ends the daemon and nothing else, and codes mean what the daemon means by them", () => {
  const settings = settingsOf(unitText(planFor("/srv/nobody/.holdfast")));
  expect(settings).toEqual([
    "Description=Holdfast daemon (holdfast)",
    "StartLimitIntervalSec=0",
    "Type=exec",
    expect.stringMatching(/^ExecStart=\/\S+ \/\S+\/bin\/holdfast daemon run$/),
    "WorkingDirectory=/",
    "Environment=HOLDFAST_HOME=/srv/nobody/.holdfast",
    "Restart=always",
    "RestartSec=2",
    "RestartForceExitStatus=75",
    "RestartPreventExitStatus=0 78",
    "SuccessExitStatus=75 143",
    "KillMode=process",
    "TimeoutStopSec=60",
    "OOMPolicy=continue",
    "ManagedOOMPreference=avoid",
    "Delegate=yes",
    "TasksMax=infinity",
    "LimitNOFILE=524288",
    "WantedBy=default.target",
  ]);
});

test("a stop waits longer than the daemon lets waits finish", () => {
  expect([null, 0, 2_000, 30_000, 90_500].map(stopTimeoutSeconds)).toEqual([60, 60, 60, 60, 121]);
});

test("what systemd would read as something else is escaped", () => {
  const settings = settingsOf(unitText(planFor(`/a "b" %h $X \\`)));
  expect(settings).toContain(String.raw`Environment="HOLDFAST_HOME=/a \"b\" %%h $X \\"`);
});

test("the marker gives back what it was made from, and says when the text was changed", () => {
  const home = "/a b/--x/%2D/é";
  const body = "[Unit]\nX=1\n";
  const text = `# first\n# ${markerText({ version: "1.0.0--rc", home, body })}\n${body}`;
  expect(text).not.toMatch(/--/); // which would end a comment in XML
  expect(parseMarker(text)).toEqual({ version: "1.0.0--rc", home, isUntouched: true });
  expect(parseMarker(text.replace("X=1", "X=2"))).toMatchObject({ home, isUntouched: false });
  expect(bodyOf(text)).toBe(body);
  expect(parseMarker("[Unit]\n")).toBeUndefined();
});

test.for(["relative", "/with\nline", "/with\u0000null"])(
  "a home that cannot stand in a unit is refused: %j",
  (home) => {
    expect(() => planFor(home)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }) as Error);
  },
);
