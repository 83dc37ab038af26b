// A thousand processes: only the rows in view exist, what comes at once is drawn at once, and one change touches one row.
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { dashboardHome } from "../support/dashboard.ts";

const count = 1_000;
const atOnce = 16;
const home = dashboardHome();

function rowOf(page: Page, text: string): Locator {
  return page.getByRole("row").filter({ hasText: text });
}

function nameOf(index: number): string {
  return `p-${String(index).padStart(4, "0")}`;
}

async function startAll(): Promise<void> {
  const { start } = home();
  let next = 0;
  const startSome = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await start(["true"], { name: nameOf(index) });
  };
  await Promise.all(Array.from({ length: atOnce }, startSome));
}

interface Drawn {
  /** How often the number of rows changed, and how many frames the page had for it. */
  changes: number;
  frames: number;
}

type Observed = typeof globalThis & { drawn: Drawn; changed: Set<string> };

/** Runs in the page. */
function countDrawing(): void {
  const drawn: Drawn = { changes: 0, frames: 0 };
  const frame = (): void => {
    drawn.frames += 1;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const observer = new MutationObserver((records) => (drawn.changes += records.length));
  const grid = document.querySelector("[role=grid]");
  if (grid !== null) observer.observe(grid, { attributeFilter: ["aria-rowcount"] });
  Object.assign(globalThis, { drawn });
}

/** Runs in the page. That time goes by is no change. */
function watchRows(): void {
  const changed = new Set<string>();
  const observer = new MutationObserver((records) => {
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement;
      const id = element?.closest<HTMLElement>("tr[data-id]")?.dataset["id"];
      if (id !== undefined && element?.closest("time") === null) changed.add(id);
    }
  });
  const body = document.querySelector("tbody");
  if (body !== null)
    observer.observe(body, { subtree: true, childList: true, characterData: true, attributes: true });
  Object.assign(globalThis, { changed });
}

test("a thousand processes that start and end while one looks", async () => {
  const { dashboard, client, start } = home();
  await start(["true"], { name: "first" });
  const page = await dashboard.page("/processes?sort=process");
  await rowOf(page, "first").waitFor();
  await page.evaluate(countDrawing);
  await startAll();
  const grid = page.getByRole("grid");
  const rowCount = (): Promise<string | null> => grid.getAttribute("aria-rowcount");
  // With the first one and the headings.
  await expect.poll(rowCount, { timeout: 20_000 }).toBe(String(count + 2));
  const { changes, frames } = await page.evaluate(() => (globalThis as unknown as Observed).drawn); // made above
  expect(changes).toBeGreaterThan(0);
  expect(changes).toBeLessThanOrEqual(frames + 1);
  expect(await page.getByRole("row").count()).toBeLessThan(60);

  await rowOf(page, "first").focus();
  await page.keyboard.press("End");
  await rowOf(page, nameOf(count - 1)).waitFor();
  expect(await page.getByRole("row").count()).toBeLessThan(60);
  await page.keyboard.press("Home");
  await rowOf(page, "first").waitFor();

  const seventh = rowOf(page, nameOf(7));
  await seventh.getByRole("gridcell", { name: "succeeded" }).waitFor();
  const id = (await seventh.getAttribute("data-id")) ?? "";
  // The last figures of those that have just ended still come in: some rename has the table to itself.
  let turn = 0;
  const changedByRename = async (): Promise<string[]> => {
    const name = `${nameOf(7)}-renamed-${++turn}`;
    await page.evaluate(watchRows);
    await client.process.rename({ id, name });
    await rowOf(page, name).waitFor();
    return await page.evaluate(() => [...(globalThis as unknown as Observed).changed]); // made above
  };
  await expect.poll(changedByRename).toEqual([id]);
});

test("filters in the address find a few among a thousand, and all of them again", async () => {
  const { dashboard } = home();
  const page = await dashboard.page(`/processes?q=${nameOf(77).slice(0, -1)}&sort=-process`);
  await page.getByText("10 shown").waitFor();
  await rowOf(page, nameOf(79)).waitFor();
  await page.getByLabel("Search command").fill(nameOf(512));
  await page.getByText("1 shown").waitFor();
  expect(new URL(page.url()).searchParams.get("q")).toBe(nameOf(512));
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByText(`${count + 1} shown`).waitFor();
  await page.getByLabel("State").selectOption("Ended badly");
  await page.getByText("No process fits").waitFor();
});
