// What axe-core finds on a page: only what is serious or critical.
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** One line per finding, with the place; empty when there is none. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: axePath });
  const results = await page.evaluate(() => {
    return (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run(); // the script just added
  });
  return results.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}`));
}
