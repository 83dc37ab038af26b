import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Check } from "./check.ts";
import { installUnit } from "./install-unit.ts";
import { bodyOf, markerText } from "./marker.ts";
import { checkSupervision } from "./supervision-checks.ts";
import type { UnitQuestion } from "./unit-check.ts";
import { planUnit, type Scope, type UnitPlan } from "./unit-plan.ts";
import { unitText } from "./unit-text.ts";

const home = "/srv/holdfast-test-nobody/.holdfast";
const exitCodes = { done: 0, restart: 75, configuration: 78, terminated: 143 };
const facts = { version: "0.2.0", exitCodes, drainMs: 2_000 };

function newQuestion(): UnitQuestion & { root: string } {
  const root = mkdtempSync(join(process.env["HOME"] ?? "", "root-"));
  return {
    ...facts,
    home,
    root,
    environment: { HOME: dirname(home) },
    daemonPid: process.pid,
    supervisor: null,
  };
}

function planOf(question: UnitQuestion, scope: Scope): UnitPlan {
  return planUnit({ ...question, scope });
}

async function checked(question: UnitQuestion): Promise<Record<string, Check>> {
  const checks = await checkSupervision(question);
  expect(checks.every(({ result, hint }) => (result === "ok") === (hint === undefined))).toBe(true);
  return Object.fromEntries(checks.map((check) => [check.name, check]));
}

test("no unit is no fault, and a unit of somebody else's is none of ours", async () => {
  const question = newQuestion();
  expect(await checked(question)).toMatchObject({ unit: { result: "ok" }, linger: { result: "ok" } });
  const { file } = planOf(question, "user");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "[Service]\nExecStart=/bin/true\n");
  const other = await checked({ ...question, supervisor: { kind: "systemd", name: "mine.service" } });
  expect(other["unit"]).toMatchObject({
    result: "ok",
    message: expect.stringContaining("mine.service") as string,
  });
  expect(other).not.toHaveProperty("supervised");
});

test("an outdated unit is told with what differs and how to mend it", async () => {
  const question = newQuestion();
  const plan = planOf(question, "system");
  const body = bodyOf(unitText(plan))
    .replace("OOMPolicy=continue\n", "")
    .replace("Delegate=yes", "Delegate=no");
  mkdirSync(dirname(plan.file), { recursive: true });
  writeFileSync(plan.file, `# ${markerText({ version: "0.1.0", home, body })}\n${body}`);
  expect((await checked(question))["unit"]).toEqual({
    name: "unit",
    result: "warning",
    message: `${plan.file} is outdated: 0.1.0 wrote it; other than this version would write: Delegate, OOMPolicy.`,
    hint: `holdfast daemon install --now --system --user ${userInfo().username}`,
  });
  installUnit(plan, { force: false, write: true });
  expect((await checked(question))["unit"]).toMatchObject({ result: "ok" });
});

test("a longer drain outgrows the unit's patience; where nobody knows the drain, nothing is said", async () => {
  const question = newQuestion();
  installUnit(planOf(question, "user"), { force: false, write: true });
  const patient = await checked({ ...question, drainMs: 600_000 });
  expect(patient["unit"]?.message).toContain("TimeoutStopSec");
  const { file } = planOf(question, "user");
  writeFileSync(file, unitText(planOf({ ...question, drainMs: 600_000 }, "user")));
  expect((await checked({ ...question, drainMs: null }))["unit"]).toMatchObject({ result: "ok" });
});

test("a unit changed by hand is told apart from an outdated one", async () => {
  const question = newQuestion();
  const { file } = planOf(question, "user");
  installUnit(planOf(question, "user"), { force: false, write: true });
  writeFileSync(file, readFileSync(file, "utf8").replace("KillMode=process", "KillMode=control-group"));
  expect((await checked(question))["unit"]).toMatchObject({
    result: "warning",
    message: expect.stringMatching(/was changed by hand.*: KillMode\.$/) as string,
    hint: "holdfast daemon install --now --force",
  });
});

test("two units for one home are told", async () => {
  const question = newQuestion();
  for (const scope of ["user", "system"] as const) {
    installUnit(planOf(question, scope), { force: false, write: true });
  }
  expect((await checked(question))["unit"]).toMatchObject({ result: "warning" });
});

test("the unit's own daemon recognises itself; who cannot tell does not warn", async () => {
  const question = newQuestion();
  const plan = planOf(question, "user");
  installUnit(plan, { force: false, write: true });
  const own = await checked({ ...question, supervisor: { kind: "systemd", name: plan.fullName } });
  expect(own["supervised"]).toMatchObject({ result: "ok", message: `${plan.fullName} runs this daemon.` });
  expect((await checked(question))["supervised"]).toMatchObject({
    result: "ok",
    message: expect.stringContaining("cannot be seen") as string,
  });
});

test("a home that no unit can name is told, and the rest stands", async () => {
  const checks = await checked({ ...newQuestion(), home: "/srv/with\nline" });
  expect(checks["unit"]).toMatchObject({ result: "warning" });
  expect(checks["executables"]).toMatchObject({ result: "ok" });
});
