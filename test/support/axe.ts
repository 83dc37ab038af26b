// What axe-core finds wrong with a page, of what keeps people out.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Serious and critical ones, in short. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // Through the debugger: the page's own policy would refuse a script that is not its own.
  await page.evaluate(source);
  const { violations } = await page.evaluate<{ violations: Finding[] }>("axe.run(document)");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
}
