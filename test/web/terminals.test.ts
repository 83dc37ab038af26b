// Terminals in a real browser: typing, full-screen programs, reload, a killed daemon, two viewers, a flood beside others.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { seriousFindings } from "../support/axe.ts";
import { dashboardHome } from "../support/dashboard.ts";

const home = dashboardHome();
const soon = { timeout: 20_000 };

/** What the rows of the shown terminal say. */
async function screen(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const panes = [...document.querySelectorAll<HTMLElement>("[data-terminal]")];
    const shown = panes.find((pane) => pane.offsetParent !== null);
    return shown?.querySelector(".xterm-rows")?.textContent ?? "";
  });
}

async function openShell(page: Page): Promise<void> {
  await page.getByRole("button", { name: "New terminal" }).first().click();
  await page.getByLabel("Directory").fill("/tmp");
  await page.getByRole("button", { name: "Open a shell" }).click();
  await page.getByText("You type").waitFor();
}

test("a new terminal takes typing, and the same screen comes back after a reload and a kill of the daemon", async () => {
  const { dashboard, daemon } = home();
  const page = await dashboard.page("/terminals");
  expect(await seriousFindings(page)).toEqual([]);
  await openShell(page);
  await page.keyboard.type("PS1='> '; clear; echo $((40+2)); pwd\n");
  await expect.poll(() => screen(page), soon).toContain("42");
  expect(await screen(page)).toContain("/tmp");
  expect(await seriousFindings(page)).toEqual([]);
  await page.reload();
  await expect.poll(() => screen(page), soon).toContain("42");
  await daemon.kill();
  await page.getByText("The connection to the daemon is lost").waitFor();
  await daemon.start();
  await page.getByText("The connection to the daemon is lost").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Take keyboard" }).click();
  await page.getByText("You type").waitFor();
  await page.keyboard.type("echo back$((1+1))\n");
  await expect.poll(() => screen(page), soon).toContain("back2");
});
