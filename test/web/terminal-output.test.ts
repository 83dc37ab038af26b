// What a terminal in the browser does with output: the whole log behind it, and what hostile programs write.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { dashboardHome } from "../support/dashboard.ts";
import { repaintingProgram } from "../support/repainting-program.ts";
import { testDirectory } from "../support/test-home.ts";
import { pane, rowsOf, shellPage, sizeOf, untilRow, untilRows } from "../support/web-terminal.ts";

const home = dashboardHome();
const soon = { timeout: 20_000 };

/** A line of the output page that is in view. */
function logLine(page: Page, text: string): Locator {
  return page
    .getByRole("region", { name: "Output of the process" })
    .locator("[data-offset]")
    .filter({ hasText: text });
}

test("from the oldest loaded line one goes on in the log, far longer than what is loaded; a search finds everything in it", async () => {
  const { page, id } = await shellPage(home(), { key: "log" });
  await page.keyboard.type("seq -f 'row %.0f' 1 200000\n");
  await untilRows(page, (rows) => rows.at(-2) === "row 200000", "the end of it");
  // As many pages as there are lines above.
  for (let screen = 0; screen < 40; screen++) await page.keyboard.press("Shift+PageUp");
  const [oldest = ""] = await untilRows(
    page,
    (rows) => /^row 198\d{3}$/.test(rows[0] ?? ""),
    "the oldest line",
  );
  await page.getByRole("button", { name: "Older lines are in the log" }).click();
  await page.waitForURL(/\/processes\/[^/]+\?at=\d+$/);
  await expect.poll(() => logLine(page, oldest).count(), soon).toBe(1);
  const top = (): Promise<number> =>
    logLine(page, oldest).evaluate((line) => line.getBoundingClientRect().top);
  await expect.poll(top, soon).toBeGreaterThan(0);

  await page.goto(`${home().dashboard.origin}/terminals`);
  await untilRow(page, "row 200000");
  await page.locator(".xterm-helper-textarea").focus();
  const before = await sizeOf(page);
  await page.keyboard.press("Control+Shift+F");
  const box = page.getByLabel("Search in this terminal");
  await box.fill("row 199500");
  await untilRow(page, "row 199500");
  await box.fill("row 777");
  await page.getByText("Not in the lines loaded here").waitFor();
  await page.getByRole("button", { name: "Whole log" }).click();
  await page.getByText("111 lines found").waitFor();
  // It lies over the terminal: no program paints itself anew for a search.
  expect(await sizeOf(page)).toEqual(before);
  await page.getByRole("list", { name: "Matches" }).getByText("row 77712").click();
  await page.waitForURL(new RegExp(`/processes/${id}\\?at=\\d+$`));
  await logLine(page, "row 77712").waitFor();
});

test("what was no longer kept when the daemon came back is told, and the program has painted again", async () => {
  const { daemon, dashboard, start } = home();
  const go = join(testDirectory(), "go");
  const gone = join(testDirectory(), "gone");
  const limits = { headBytes: 4_096, tailBytes: 65_536 };
  const id = await start(repaintingProgram(go, gone), { mode: "pty", limits });
  const page = await dashboard.page(`/terminals?open=${id}`);
  await untilRow(page, "first");
  await daemon.kill();
  writeFileSync(go, "");
  await expect.poll(() => existsSync(gone), soon).toBe(true);
  await daemon.start();
  await pane(page)
    .getByRole("alert")
    .getByText(/^Output from \d+ to \d+ was not kept; the program was asked to paint again\.$/)
    .waitFor();
  expect(await untilRow(page, "painted 24 80")).toEqual(["painted 24 80"]);
});

const hostile = String.raw`
printf '\033]52;c;c2VjcmV0\007'
printf '\033]0;<img src=x onerror=alert(1)>\007'
printf '\033]0;'; head -c 3000000 /dev/zero | tr '\0' x; printf '\007'
printf '\033['; head -c 1000000 /dev/zero | tr '\0' 1; printf 'm'
printf '\033P'; head -c 3000000 /dev/zero | tr '\0' x; printf '\033\\'
printf '\033[24;80H\033[1J\033[2147483647L\033[2147483647S\033[2147483647Ix\033[2147483647b'
printf '\007%.0s' $(seq 1000)
printf '\033[m\033[2J\033[H'
printf '\033]8;;javascript:alert(document.domain)\033\\bad\033]8;;\033\\ \033]8;;https://example.invalid/page\033\\good\033]8;;\033\\\r\n'
printf '<b>bold</b> safe\r\n'
exec cat
`;

test("hostile output: the clipboard stays, titles and lines are text, nothing huge is drawn, only web links open, and only when asked", async () => {
  const { client, dashboard, start } = home();
  const id = await start(["bash", "-c", hostile], { mode: "pty", stdin: "open" });
  const page = await dashboard.page(`/terminals?open=${id}`);
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.evaluate(() => navigator.clipboard.writeText("mine"));
  const rows = await untilRow(page, "<b>bold</b> safe");
  expect(rows).toEqual(["bad good", "<b>bold</b> safe"]);
  await pane(page).getByText("<img src=x onerror=alert(1)>").waitFor();
  expect(await page.locator("img").count()).toBe(0);
  // The same again while it is looked at.
  const { process } = await client.terminal.open({ key: "hostile", cwd: "/", shell: "/bin/bash" });
  await page.goto(`${dashboard.origin}/terminals?open=${process.id}`);
  await untilRows(page, (lines) => lines.length > 0, "a shell");
  await client.process.write({ id: process.id, parts: [{ text: `${hostile}\n` }] });
  await untilRows(page, (lines) => lines.includes("<b>bold</b> safe"), "what comes last");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("mine");

  const context = page.context();
  await context.route("https://example.invalid/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>opened</title>" }),
  );
  const at = await rowsOf(page);
  const line = page.locator(".xterm-rows:visible > div").nth(at.indexOf("bad good"));
  const link = async (text: string): Promise<{ x: number; y: number }> => {
    const box = await line.getByText(text, { exact: true }).boundingBox();
    return { x: (box?.x ?? 0) + 5, y: (box?.y ?? 0) + 5 };
  };
  const bad = await link("bad");
  await page.mouse.click(bad.x, bad.y);
  // The row may have moved, or be drawn anew, while the mouse was on its way.
  const hover = async (): Promise<boolean> => {
    const good = await link("good");
    await page.mouse.move(0, 0);
    await page.mouse.move(good.x, good.y);
    return await page.locator(".xterm-cursor-pointer").isVisible();
  };
  await expect.poll(hover, { timeout: 20_000 }).toBe(true);
  await page.mouse.down();
  await page.mouse.up();
  await page.getByRole("alertdialog").getByText("https://example.invalid/page").waitFor();
  const popup = context.waitForEvent("page");
  await page.getByRole("button", { name: "Open link" }).click();
  const opened = await popup;
  await opened.waitForURL("https://example.invalid/page");
  expect(await opened.evaluate(() => [window.opener === null, document.referrer])).toEqual([true, ""]);
  expect(context.pages()).toHaveLength(2);
  expect(dialogs).toEqual([]);
  expect(await rowsOf(page)).toContain("<b>bold</b> safe");
});
