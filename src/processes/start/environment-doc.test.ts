import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderEnvironmentDoc } from "./environment-doc.ts";

test("docs/environment.md is what `node scripts/generate-environment-doc.ts` writes", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/environment.md"), "utf8");
  expect(page).toBe(renderEnvironmentDoc());
});
