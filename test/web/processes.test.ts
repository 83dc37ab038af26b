// The table of processes in a real browser, against a real daemon.
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { dashboardHome, startDashboard } from "../support/dashboard.ts";

const home = dashboardHome();
const untilMs = { timeout: 20_000 };

function rowOf(page: Page, text: string): Locator {
  return page.getByRole("row").filter({ hasText: text });
}

async function names(page: Page): Promise<string[]> {
  const links = await page.getByRole("row").getByRole("link").all();
  return await Promise.all(links.map(async (link) => (await link.innerText()).split(/\s/)[0] ?? ""));
}

test("the table is live: starts, figures, last lines and ends come without a reload, and text stays text", async () => {
  const { dashboard, client, start } = home();
  const page = await dashboard.page("/processes");
  const hostile = "echo '<b onclick=alert(1)>bold</b>'; while :; do :; done";
  const id = await start(hostile, { name: "burner", owner: { session: "s-1" } });
  const row = rowOf(page, "burner");
  await row.getByRole("gridcell", { name: "running", exact: true }).waitFor();
  await row.getByRole("gridcell", { name: "s-1" }).waitFor();
  await row.getByRole("gridcell", { name: "<b onclick=alert(1)>bold</b>", exact: true }).waitFor();
  // Some of the processor; how much is left for it is up to the machine.
  await row.getByRole("gridcell", { name: /^[1-9]\d*(\.\d)? %$/ }).waitFor();
  await row.getByRole("gridcell", { name: /^\d+(\.\d)? [KM]B$/ }).waitFor();
  expect(await page.locator("b").count()).toBe(0);
  await client.process.signal({ id, signal: "KILL" });
  await row.getByRole("gridcell", { name: "SIGKILL" }).waitFor();
  await client.process.remove({ ids: [id] });
  await row.waitFor({ state: "detached" });
});

test("filters and order are in the address, survive a reload and can be linked to", async () => {
  const { dashboard, start } = home();
  await start("sleep 1000", { name: "alpha", owner: { session: "s-a" }, labels: { tier: "front" } });
  await start("sleep 1001", { name: "beta", labels: { tier: "back" } });
  await start("exit 3", { name: "gamma" });
  const page = await dashboard.page("/processes?q=a&label=tier");
  await rowOf(page, "beta").waitFor();
  expect((await names(page)).toSorted()).toEqual(["alpha", "beta"]);
  await page.getByLabel("Session").fill("s-a");
  await rowOf(page, "beta").waitFor({ state: "detached" });
  await page.getByRole("columnheader", { name: "Process" }).getByRole("button").click();
  await page.reload();
  await rowOf(page, "alpha").waitFor();
  expect(new URL(page.url()).search).toBe("?q=a&label=tier&session=s-a&sort=process");
  expect(await names(page)).toEqual(["alpha"]);
  expect(await page.getByRole("columnheader", { name: "Process" }).getAttribute("aria-sort")).toBe(
    "ascending",
  );
  await page.getByRole("button", { name: "Clear filters" }).click();
  await rowOf(page, "gamma").waitFor();
  await page.getByLabel("State").selectOption("Ended badly");
  await expect.poll(() => names(page), untilMs).toEqual(["gamma"]);
  expect(new URL(page.url()).searchParams.get("state")).toBe("failed");
  await page.getByLabel("Search command").fill("nothing is called that");
  await page.getByText("No process fits").waitFor();
});

test("what is typed into a filter stays as it is typed, wherever the caret is and however fast; going back brings back what was", async () => {
  const { dashboard } = home();
  const page = await dashboard.page("/processes?q=abcdef");
  const search = page.getByLabel("Search command");
  const parameter = (name: string) => (): string | null => new URL(page.url()).searchParams.get(name);
  await search.press("Home");
  for (const key of ["X", "Y", "Z"]) {
    await page.keyboard.press(key);
    // The address comes back after every key: the caret stays where it was then too.
    await expect.poll(parameter("q"), untilMs).toBe(`${"XYZ".slice(0, "XYZ".indexOf(key) + 1)}abcdef`);
  }
  const fast = "the quick brown fox jumps over the lazy dog";
  await page.getByLabel("Session").pressSequentially(fast);
  await page.getByLabel("Label").pressSequentially("k=v");
  expect(await search.inputValue()).toBe("XYZabcdef");
  expect(await page.getByLabel("Session").inputValue()).toBe(fast);
  await expect.poll(parameter("session"), untilMs).toBe(fast);
  await expect.poll(parameter("label"), untilMs).toBe("k=v");
  // Characters that are put together from several keys.
  await search.fill("");
  const keys = await page.context().newCDPSession(page);
  for (const text of ["n", "ni", "に", "にほん"])
    await keys.send("Input.imeSetComposition", {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  await keys.send("Input.insertText", { text: "日本" });
  await expect.poll(parameter("q"), untilMs).toBe("日本");
  expect(await search.inputValue()).toBe("日本");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Processes" }).click();
  await expect.poll(() => search.inputValue(), untilMs).toBe("");
  await page.goBack();
  await expect.poll(() => search.inputValue(), untilMs).toBe("日本");
  expect(await page.getByLabel("Session").inputValue()).toBe(fast);
});

test("the keyboard reaches everything: arrows move, Space selects, Enter opens", async () => {
  const { dashboard, start } = home();
  for (const name of ["k-1", "k-2", "k-3"]) await start("sleep 1002", { name });
  const page = await dashboard.page("/processes?q=sleep+1002&sort=process");
  await rowOf(page, "k-3").waitFor();
  await rowOf(page, "k-1").focus();
  const focused = async (): Promise<string> =>
    await page.evaluate(() => document.activeElement?.textContent?.match(/k-\d/)?.[0] ?? "none");
  await page.keyboard.press("ArrowDown");
  await expect.poll(focused, untilMs).toBe("k-2");
  await page.keyboard.press("Space");
  await page.getByText("1 of 3 selected").waitFor();
  expect(await rowOf(page, "k-2").getAttribute("aria-selected")).toBe("true");
  await page.keyboard.press("End");
  await expect.poll(focused, untilMs).toBe("k-3");
  await page.keyboard.press("ArrowDown");
  await expect.poll(focused, untilMs).toBe("k-3");
  await page.keyboard.press("Home");
  await expect.poll(focused, untilMs).toBe("k-1");
  // Inside the row that has the focus: its checkbox, its link, its menu.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Open", exact: true }).waitFor();
  await page.keyboard.press("Escape");
  // The focus is where it was: keys go on from there.
  const actions = rowOf(page, "k-1").getByRole("button", { name: /^Actions for/ });
  await expect.poll(() => actions.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Open", exact: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "k-1" }).waitFor();
});

test("one or many are stopped after a question, and what was refused is told with its code", async () => {
  const { dashboard, client, start } = home();
  const ids = [await start("sleep 1003", { name: "stop-1" }), await start("sleep 1003", { name: "stop-2" })];
  const page = await dashboard.page("/processes?q=sleep+1003");
  await rowOf(page, "stop-2").waitFor();
  await page.getByRole("button", { name: "Actions for stop-1" }).click();
  await page.getByRole("menuitem", { name: "Stop…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  expect((await client.process.get({ id: ids[0] ?? "" })).state).toBe("running");
  await page.getByLabel("Select all that are shown").check();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page
    .getByRole("alertdialog", { name: "Stop 2 processes?" })
    .getByRole("button", { name: "Stop" })
    .click();
  await page.getByText("2 processes stopped").waitFor();
  await rowOf(page, "stop-1").getByRole("gridcell", { name: "SIGTERM" }).waitFor();
  const { results } = await client.process.wait({ ids });
  expect(results.map(({ process }) => process.stopReason)).toEqual(["user", "user"]);
  // Renamed to a name that a living process has.
  await start("sleep 1004", { name: "taken" });
  const other = await start("sleep 1004");
  await page.goto(`${dashboard.origin}/processes?q=${other}`);
  await page.getByRole("button", { name: /^Actions for sleep 1004/ }).click();
  await page.getByRole("menuitem", { name: "Rename…" }).click();
  await page.getByLabel("Name; empty for none").fill("taken");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("log", { name: "Messages" }).getByText("NAME_IN_USE").waitFor();
});

test("who only may look is told why not", async () => {
  const { daemon, start } = home();
  await start("sleep 1005", { name: "looked-at" });
  const dashboard = await startDashboard(daemon, { role: "viewer" });
  const page = await dashboard.page("/processes?q=looked-at");
  await page.getByLabel("Select looked-at").check();
  const stop = page.getByRole("button", { name: "Stop", exact: true });
  await expect.poll(() => stop.isDisabled(), untilMs).toBe(true);
  expect(await stop.getAttribute("title")).toBe("You are signed in as viewer; this needs operator");
  await page.getByRole("button", { name: "Actions for looked-at" }).click();
  expect(await page.getByRole("menuitem", { name: /^Stop/ }).getAttribute("aria-disabled")).toBe("true");
});

test("a daemon that is killed and comes back: said, healed, and nothing is stale", async () => {
  const { daemon, dashboard, client, start } = home();
  const id = await start("sleep 1006", { name: "survivor" });
  const page = await dashboard.page("/processes?q=sleep+1006");
  await rowOf(page, "survivor").waitFor();
  await daemon.kill();
  await page.getByText("The connection to the daemon is lost").waitFor();
  await daemon.start();
  await page.getByText("The connection to the daemon is lost").waitFor({ state: "detached" });
  await client.process.rename({ id, name: "renamed" });
  await rowOf(page, "renamed").waitFor();
  await rowOf(page, "renamed").getByRole("gridcell", { name: /MB$/ }).waitFor();
  expect(await rowOf(page, "survivor").count()).toBe(0);
});
