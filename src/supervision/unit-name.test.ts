import { expect, test } from "vitest";
import { unitName } from "./unit-name.ts";

const agent = { name: "agent", defaultHome: "/srv/agent/.holdfast" };
const root = { name: "root", defaultHome: "/r/.holdfast" };

test("the default home has the plain name; among the machine's units it is told apart by its user", () => {
  expect(unitName({ home: agent.defaultHome, account: agent, scope: "user" })).toBe("holdfast");
  expect(unitName({ home: agent.defaultHome, account: agent, scope: "system" })).toBe("holdfast-agent");
  expect(unitName({ home: root.defaultHome, account: root, scope: "system" })).toBe("holdfast");
});

test("another home adds its last word and a hash of the whole path, in either scope", () => {
  const name = unitName({ home: "/srv/a/work", account: agent, scope: "user" });
  expect(name).toMatch(/^holdfast-work-[0-9a-f]{8}$/);
  expect(unitName({ home: "/srv/a/work", account: root, scope: "system" })).toBe(name);
  expect(unitName({ home: "/srv/b/work", account: agent, scope: "user" })).not.toBe(name);
});

test("whatever a path holds, the name needs no escape", () => {
  for (const home of ["/", "/.h", `/a b/%h"$x`, "/ü", `/${"x".repeat(300)}`, "/a@b", "/-", "/a.service"]) {
    expect(unitName({ home, account: agent, scope: "user" })).toMatch(
      /^holdfast(-\w[\w-]{0,31})?-[0-9a-f]{8}$/,
    );
  }
});
