import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderCliDoc } from "./cli-doc.ts";
import { commandWords } from "./command-table.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/cli.md"), "utf8");

test("docs/cli.md is what `node scripts/generate-cli-doc.ts` writes", async () => {
  expect(page).toBe(await renderCliDoc());
});

test("every command has a section and says what --json prints", () => {
  const sections = page.split(/^## /m).slice(1);
  const withJson = sections.filter((section) => section.includes("| `--json` |"));
  // Being the daemon, the MCP server or an agent's relay, running under a lock, printing a script and printing a hash have no answer; the
  // last three sections are no commands.
  expect(withJson).toHaveLength(commandWords.length - 6);
  for (const section of withJson) expect(section, section.split("\n")[0]).toContain("**--json**");
});
