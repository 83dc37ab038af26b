import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toolNames } from "../tools/tool-table.ts";
import { renderTools, replaceSection, toolsMark } from "./tools-doc.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/mcp.md"), "utf8");

test("the tools of docs/mcp.md are what `node scripts/generate-mcp-doc.ts` writes", () => {
  expect(replaceSection(page, toolsMark, renderTools())).toBe(page);
  for (const name of toolNames) expect(page).toContain(`### ${name}\n`);
});

test("a page without its marks is refused", () => {
  expect(() => replaceSection("", toolsMark, "")).toThrow("no section");
});
