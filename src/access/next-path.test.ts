import { expect, test } from "vitest";
import { nextPath } from "./next-path.ts";

test.each([
  "/",
  "/processes",
  "/processes/p_1?tab=output",
  "/v1-notes",
  "/authors",
  "/login-help",
  "/a//b",
  "/enterprise",
])("%s is a page of ours", (path) => {
  expect(nextPath(path)).toBe(path);
});

test.each([
  undefined,
  7,
  "",
  "processes",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\tevil",
  "/\n/evil.example",
  " /processes",
  "https://evil.example/",
  "javascript:alert(1)",
  "/login",
  "/login?next=/login",
  "/LOGIN",
  "/%6cogin",
  "/x/../login",
  "/.//evil.example",
  "/x/..//evil.example",
  "/auth/logout",
  "/enter",
  "/v1/process.list",
  "/mcp",
  "/assets/x.js",
  "/openapi.json",
  "/%zz",
  `/${"x".repeat(3_000)}`,
])("%j is not: the front page it is", (given) => {
  expect(nextPath(given)).toBe("/");
});
