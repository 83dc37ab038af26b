// What a browser loads before a person sees the overview, and that nothing on it jumps while it fills.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { dashboardHome } from "../support/dashboard.ts";

const home = dashboardHome();
const mostScriptBytes = 300_000;
const built = join(import.meta.dirname, "../../dist/web");

async function openOverview(): Promise<Page> {
  const { dashboard, start } = home();
  await start("exec sleep 1000");
  const page = await dashboard.page("/");
  await page.getByRole("region", { name: "Running" }).getByText("exec sleep 1000").first().waitFor();
  await page
    .getByRole("img", { name: /^CPU: \d/ })
    .first()
    .waitFor();
  return page;
}

test("the scripts of the first view are under 300 kB of gzip together", async () => {
  const page = await openOverview();
  const paths = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.endsWith(".js")),
  );
  // The entry and the page itself at least.
  expect(paths.length).toBeGreaterThan(1);
  const sizes = [...new Set(paths)].map(
    (path) => [path, gzipSync(readFileSync(join(built, path))).length] as const,
  );
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  expect(total, sizes.map(([path, bytes]) => `${path}: ${bytes}`).join("\n")).toBeLessThan(mostScriptBytes);
});

/** Runs in the page: how much of it moved by itself since it was loaded, as the web measures it. */
function layoutShift(): Promise<number> {
  return new Promise((resolve) => {
    let sum = 0;
    const take = (entries: PerformanceEntryList): void => {
      for (const entry of entries) sum += (entry as PerformanceEntry & { value: number }).value; // of its type
    };
    const observer = new PerformanceObserver((list) => take(list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    // What is buffered comes with the next task.
    requestAnimationFrame(() =>
      setTimeout(() => {
        take(observer.takeRecords());
        resolve(sum);
      }),
    );
  });
}

test("pages stay in their place while they fill", async () => {
  const { dashboard, start } = home();
  const id = await start("echo filled; exec sleep 1000", { name: "filler" });
  const page = await openOverview();
  const shifts = [await page.evaluate(layoutShift)];
  for (const path of ["/processes", `/processes/${id}`]) {
    await page.goto(dashboard.origin + path);
    await page.getByText("filled", { exact: true }).first().waitFor();
    shifts.push(await page.evaluate(layoutShift));
  }
  // Below this the web's own measure calls a page good.
  expect(Math.max(...shifts), shifts.join(", ")).toBeLessThan(0.1);
});
