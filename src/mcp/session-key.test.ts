import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { projectRoot, sessionKey } from "./session-key.ts";

test("a key that is given counts; else the same client in the same project has the same one", () => {
  const facts = { clientName: "Claude-Code", directory: "/project" };
  expect(sessionKey({ ...facts, given: "mine" })).toBe("mine");
  expect(sessionKey(facts)).toBe(sessionKey({ ...facts, clientName: "claude-code", given: "" }));
  expect(sessionKey(facts)).toMatch(/^mcp-[0-9a-f]{16}$/);
  expect(sessionKey(facts)).not.toBe(sessionKey({ ...facts, directory: "/other" }));
  expect(sessionKey(facts)).not.toBe(sessionKey({ ...facts, clientName: "codex" }));
});

test("a directory of a checkout belongs to the checkout; any other to itself", () => {
  const root = mkdtempSync(join(tmpdir(), "project-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const inside = join(root, "a/b");
  mkdirSync(inside, { recursive: true });
  expect(projectRoot(inside)).toBe(inside);
  mkdirSync(join(root, ".git"));
  expect(projectRoot(inside)).toBe(root);
});
