import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { startInputSchema, type StartInput } from "../protocol/process.ts";
import type { OperationContext } from "./context.ts";
import { requireConfinement } from "./require-confinement.ts";

type Profiles = ReturnType<OperationContext["processes"]["config"]>["confinement"]["profiles"];

const caller = { requestId: "r" };

function confineOf(
  profiles: Profiles,
  input: unknown,
  by: Parameters<typeof requireConfinement>[1] = caller,
) {
  const processes = { config: () => ({ confinement: { profiles } }) };
  const context = { processes } as unknown as OperationContext; // all that it looks at
  return requireConfinement(context, by, startInputSchema.parse(input)).confine;
}

const command = ["true"];
const ofSession = { command, owner: { session: "s" } };
const sessions = { require: "sessions", write: ["/srv/work"], hide: [] } as const;

test("by default nobody is confined who does not ask for it", () => {
  expect(confineOf({}, ofSession)).toBeUndefined();
  expect(confineOf({}, { ...ofSession, confine: true })).toBe(true);
  expect(confineOf({ default: { ...sessions, require: "never" } }, ofSession)).toBeUndefined();
});

test("sessions: what belongs to a session or a task; always: everything; a profile of its own counts first", () => {
  expect(confineOf({ default: sessions }, ofSession)).toBe(true);
  expect(confineOf({ default: sessions }, { command, owner: { task: "t" } })).toBe(true);
  expect(confineOf({ default: sessions }, { command })).toBeUndefined();
  expect(confineOf({ default: { ...sessions, require: "always" } }, { command })).toBe(true);
  const profiles: Profiles = { default: sessions, free: { ...sessions, require: "never" } };
  expect(confineOf(profiles, { command, owner: { session: "s", profile: "free" } })).toBeUndefined();
  expect(confineOf(profiles, { command, owner: { session: "s", profile: "other" } })).toBe(true);
});

test("what the configuration itself starts is a person's", () => {
  expect(confineOf({ default: sessions }, ofSession, { ...caller, isConfiguration: true })).toBeUndefined();
});

test("who must be confined cannot ask for more than the profile has", () => {
  const asking = (write: string[]): StartInput["confine"] =>
    confineOf({ default: sessions }, { ...ofSession, confine: { write } });
  const allowed = ["/srv/work", "/srv/work/sub", `${tmpdir()}/x`];
  expect(asking(allowed)).toEqual({ write: allowed });
  for (const path of ["/srv", "/srv/workshop", "/srv/work/../other", "/"])
    expect(() => asking([path]), path).toThrow(`does not let it write to ${path === "/" ? "/" : "/srv"}`);
  // Who need not be confined may ask for anything.
  expect(confineOf({ default: sessions }, { command, confine: { write: ["/srv"] } })).toEqual({
    write: ["/srv"],
  });
});
