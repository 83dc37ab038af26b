import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { enablementLink, isEnabled } from "./enablement.ts";
import { installUnit, removeUnit } from "./install-unit.ts";
import { bodyOf, markerText } from "./marker.ts";
import { planUnit, type Manager, type UnitPlan } from "./unit-plan.ts";
import { unitText } from "./unit-text.ts";

const home = "/srv/holdfast-test-nobody/.holdfast";
const exitCodes = { done: 0, restart: 75, configuration: 78, terminated: 143 };
const write = { force: false, write: true };
const byForce = { force: true, write: true };
const notOurs = expect.objectContaining({ code: "UNIT_NOT_OURS" }) as Error;

function planFor(manager: Manager, root: string): UnitPlan {
  const environment = { HOME: dirname(home) };
  return planUnit({ environment, manager, scope: "user", root, version: "0.1.0", exitCodes, drainMs: 2_000 });
}

let plan: UnitPlan;
beforeEach(() => {
  plan = planFor("systemd", mkdtempSync(join(process.env["HOME"] ?? "", "root-")));
});

test("a unit with no marker, or with one for another home, is neither replaced nor removed", () => {
  const { file } = plan;
  mkdirSync(dirname(file), { recursive: true });
  const body = bodyOf(unitText(plan));
  const others = [
    "[Service]\nExecStart=/bin/true\n",
    "",
    `# ${markerText({ version: "0.1.0", home: "/srv/another", body })}\n${body}`,
    "# holdfast-unit version=1 home=%E0%A4%A sha256=00\n",
  ];
  for (const text of others) {
    writeFileSync(file, text);
    expect(() => installUnit(plan, write)).toThrow(notOurs);
    expect(() => removeUnit(plan, write)).toThrow(notOurs);
    expect(readFileSync(file, "utf8")).toBe(text);
  }
  expect(installUnit(plan, byForce)).toMatchObject({ action: "replaced", previous: { state: "foreign" } });
  expect(readFileSync(file, "utf8")).toBe(unitText(plan));
});

test.for(["systemd", "launchd"] as const)(
  "a file of %s that was changed by hand stays, and goes when it is uninstalled",
  (manager) => {
    plan = planFor(manager, plan.root);
    expect(installUnit(plan, write)).toMatchObject({ action: "written" });
    expect(installUnit(plan, write)).toMatchObject({ action: "unchanged" });
    const changed = readFileSync(plan.file, "utf8").replace(/TimeoutStopSec=60|<integer>60</, (text) =>
      text.replace("60", "9"),
    );
    writeFileSync(plan.file, changed);
    expect(() => installUnit(plan, write)).toThrow(notOurs);
    expect(readFileSync(plan.file, "utf8")).toBe(changed);
    expect(removeUnit(plan, write)).toEqual({ action: "removed" });
    expect(readdirSync(dirname(plan.file))).toEqual([]);
    expect(removeUnit(plan, write)).toEqual({ action: "missing" });
  },
);

test("a comment of somebody's makes no difference", () => {
  installUnit(plan, write);
  writeFileSync(plan.file, `${readFileSync(plan.file, "utf8")}# seen\n`);
  expect(installUnit(plan, write)).toMatchObject({ action: "unchanged" });
});

test("a masked unit stays masked, and force does not follow the link", () => {
  mkdirSync(dirname(plan.file), { recursive: true });
  symlinkSync("/dev/null", plan.file);
  expect(() => installUnit(plan, write)).toThrow(notOurs);
  expect(lstatSync(plan.file).isSymbolicLink()).toBe(true);
  installUnit(plan, byForce);
  expect(lstatSync(plan.file).isFile()).toBe(true);
});

test("the link that enables the unit goes with it; one to another unit stays", () => {
  const link = enablementLink(plan);
  const enable = (target: string): void => {
    installUnit(plan, write);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link);
    expect(isEnabled(plan)).toBe(true);
    removeUnit(plan, write);
  };
  enable(plan.file);
  expect(isEnabled(plan)).toBe(false);
  enable(plan.file.slice(plan.root.length)); // as that root sees it
  expect(isEnabled(plan)).toBe(false);
  enable("/usr/lib/systemd/user/holdfast.service");
  expect(isEnabled(plan)).toBe(true);
  unlinkSync(link);
});

test("nothing is written when only told", () => {
  expect(installUnit(plan, { force: false, write: false })).toMatchObject({ action: "written" });
  expect(readdirSync(plan.root)).toEqual([]);
});
