// Terminals in a real browser: typing, reload, a killed daemon, and everything without a mouse.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { seriousFindings } from "../support/axe.ts";
import { insecureHost } from "../support/chromium.ts";
import { dashboardHome, startDashboard } from "../support/dashboard.ts";
import {
  openShell,
  pane,
  shellPage,
  sizeOf,
  untilRow,
  untilRows,
  untilSize,
  untilTyping,
} from "../support/web-terminal.ts";

const home = dashboardHome({ config: `dashboard: { hosts: [${insecureHost}] }\n` });
const soon = { timeout: 20_000 };

/** A screen that is painted anew is there with the next frame of the page. */
async function untilTheSame(page: Page, before: readonly string[]): Promise<void> {
  await untilRows(page, (rows) => rows.join("\n") === before.join("\n"), "the same screen");
}

test("a new terminal takes typing; the same screen comes back, and typing goes on, after a reload and a kill of the daemon", async () => {
  const { dashboard, daemon } = home();
  const page = await dashboard.page("/terminals");
  expect(await seriousFindings(page)).toEqual([]);
  await openShell(page);
  await page.keyboard.type("pwd; printf '\\033[31mred\\033[0m\\n'; echo $((40+2))\n");
  const before = await untilRows(page, (rows) => rows.at(-2) === "42" && rows.at(-1) === ">", "a prompt");
  expect(before).toContain("/tmp");
  expect(await seriousFindings(page)).toEqual([]);
  const red = page.locator(".xterm-rows").getByText("red", { exact: true });
  const color = await red.evaluate((element) => getComputedStyle(element).color);
  await page.reload();
  await untilTyping(page);
  await untilTheSame(page, before);
  expect(await red.evaluate((element) => getComputedStyle(element).color)).toBe(color);
  await daemon.kill();
  await page.getByText("The connection to the daemon is lost").waitFor();
  await daemon.start();
  await page.getByText("The connection to the daemon is lost").waitFor({ state: "detached" });
  await untilTyping(page);
  await untilTheSame(page, before);
  await page.keyboard.type("echo back$((1+1))\n");
  const after = await untilRow(page, "back2");
  expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
});

test("text is selected and copied; what is pasted is bracketed, and cannot end the brackets by itself", async () => {
  const { page } = await shellPage(home(), { key: "clipboard" });
  await page.keyboard.type("clear; echo copy_this_word\n");
  await untilRows(page, (rows) => rows[0] === "copy_this_word", "the word");
  await page.locator(".xterm-screen").dblclick({ position: { x: 20, y: 6 } });
  await page.keyboard.press("Control+Shift+C");
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), soon).toBe("copy_this_word");
  await page.evaluate(() => navigator.clipboard.writeText("one\n\u001b[201~two"));
  await page.keyboard.type("clear; printf '\\033[?2004hasks for brackets\\n'; cat -v\n");
  await untilRows(page, (rows) => rows[0] === "asks for brackets", "that it asks for them");
  await page.keyboard.press("Control+Shift+V");
  await page.keyboard.press("Enter");
  // What the terminal itself echoes comes first.
  await untilRow(page, "^[[200~one");
  await untilRow(page, "[201~two^[[201~");
  await page.keyboard.press("Control+C");
  await untilRows(page, (rows) => rows.at(-1) === ">", "a prompt");
});

test("by plain HTTP from elsewhere, where browsers lack half of their interfaces: a new terminal, and copying", async () => {
  const { dashboard, client } = home();
  const origin = dashboard.origin.replace("127.0.0.1", insecureHost);
  const page = await dashboard.page("/login", { isStranger: true });
  await page.goto((await dashboard.link()).replace(dashboard.origin, origin));
  await page.waitForURL(`${origin}/`);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await page.goto(`${origin}/terminals`);
  await openShell(page);
  await page.keyboard.type("clear; echo copy_by_http\n");
  await untilRows(page, (rows) => rows[0] === "copy_by_http", "the word");
  await page.locator(".xterm-screen").dblclick({ position: { x: 20, y: 6 } });
  await page.keyboard.press("Control+Shift+C");
  await page.keyboard.type("clear; cat\n");
  await untilRows(page, (rows) => rows.length === 0, "an empty screen");
  // Typed and pasted: the terminal kept the keyboard.
  await page.keyboard.press("Control+Shift+V");
  await untilRows(page, (rows) => rows[0] === "copy_by_http", "the word");
  const { process } = await client.terminal.open({ key: "by http", cwd: "/tmp", shell: "/bin/sh" });
  await page.goto(`${origin}/processes/${process.id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Copy id" }).click();
  await page.getByText("Id copied").waitFor();
  const search = page.getByRole("searchbox", { name: "Search the whole output" });
  await search.press("Control+V");
  expect(await search.inputValue()).toBe(process.id);
  // Where even that is not allowed, it says so.
  await page.evaluate(() => Object.assign(document, { execCommand: () => false }));
  await page.getByRole("button", { name: "Copy output" }).click();
  await page.getByText("The browser does not let this page copy").waitFor();
  await page.goto(`${origin}/notifications`);
  const notify = page.getByRole("button", { name: "Notify in the browser" });
  expect(await notify.getAttribute("title")).toMatch(/^Browsers allow it only over HTTPS/);
});

test("text grows and the terminal gets the columns that fit; a reload keeps it", async () => {
  const { page } = await shellPage(home(), { key: "font" });
  const before = await sizeOf(page);
  for (let step = 0; step < 5; step++) {
    const { columns: last } = await sizeOf(page);
    await page.getByRole("button", { name: "Larger text" }).click();
    // Each step is waited for: the size after the last one is the one that stays.
    await untilSize(page, ({ columns }) => columns < last);
  }
  await untilSize(page, ({ columns, rows }) => columns < before.columns - 20 && rows < before.rows);
  await page.locator(".xterm-helper-textarea").focus();
  await page.keyboard.type("clear; stty size\n");
  const large = await sizeOf(page);
  await untilRow(page, `${large.rows} ${large.columns}`);
  await page.reload();
  await page.getByTitle("Font size").getByText("18").waitFor();
  await untilRow(page, `${large.rows} ${large.columns}`);
  await expect.poll(() => sizeOf(page), soon).toEqual(large);
});

test("a screen reader is told the lines, and the page has no serious findings with it", async () => {
  const { page } = await shellPage(home(), { key: "reader" });
  await page.getByLabel("Screen reader").check();
  await page.locator(".xterm-helper-textarea").focus();
  await page.keyboard.type("clear; echo spoken $((6*7))\n");
  await page.getByRole("listitem").getByText("spoken 42").waitFor();
  await expect.poll(() => page.locator(".live-region").innerText(), soon).toContain("spoken 42");
  expect(await seriousFindings(page)).toEqual([]);
});

test("everything is reached by keys: out of the terminal, along the bar, along the tabs, back into it", async () => {
  const { client } = home();
  const { page, id } = await shellPage(home(), { key: "keys" });
  await openShell(page);
  await page.keyboard.type("clear; echo second\n");
  await untilRow(page, "second");
  await page.keyboard.press("Control+Shift+ArrowUp");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Release keyboard");
  await page.keyboard.press("Enter");
  await pane(page).getByText("Read-only").waitFor();
  await page.keyboard.press("Tab");
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
    .toBe("Search");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await untilTyping(page);
  await page.keyboard.type("echo typed again\n");
  await untilRow(page, "typed again");
  await page.getByRole("tab").last().focus();
  // The focus walks along: nothing is typed into what is passed.
  for (const key of ["ArrowLeft", "ArrowRight", "ArrowLeft"]) await page.keyboard.press(key);
  const focused = page.locator(":focus");
  expect(await focused.getAttribute("role")).toBe("tab");
  await untilRows(page, (rows) => rows.join("\n") === "ready\n>", "the first, untouched");
  await page.keyboard.press("Enter");
  await page.keyboard.type("echo $((3*3))\n");
  await untilRow(page, "9");

  // A dialog that is left gives the focus back.
  const add = page.getByRole("button", { name: "New terminal" });
  await add.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => focused.getAttribute("aria-label"), soon).toBe("New terminal");
  await page.getByRole("tab").first().click();
  await page.keyboard.type("sleep 1000\n");
  await expect.poll(async () => (await client.process.get({ id })).processes, soon).toBe(2);
  await pane(page).getByRole("button", { name: "Search" }).focus();
  for (let step = 0; step < 3; step++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("alertdialog").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => focused.getAttribute("aria-label"), soon).toBe("End terminal");
});

test("terminals stand side by side; closing a view leaves the process alone, ending one asks when something runs", async () => {
  const { client } = home();
  const { page, id } = await shellPage(home(), { key: "split" });
  await pane(page).getByRole("button", { name: "Split right" }).click();
  await page.getByRole("button", { name: "Open a shell" }).click();
  await expect.poll(() => pane(page).count(), soon).toBe(2);
  const [left, right] = [pane(page).first(), pane(page).last()];
  await right.getByText("You type").waitFor();
  await page.keyboard.type("sleep 1000\n");
  // Of this page: those of a page before it may not be gone yet.
  const shown = await right.locator("[data-terminal]").getAttribute("data-terminal");
  const other = shown ?? "";
  expect(other).not.toBe(id);
  await expect.poll(async () => (await client.process.get({ id: other })).processes, soon).toBe(2);
  await left.getByRole("button", { name: "Close view" }).click();
  await expect.poll(() => pane(page).count(), soon).toBe(1);
  expect((await client.process.get({ id })).state).toBe("running");

  // Another window begins with the same tabs and then has its own.
  const window = await page.context().newPage();
  await window.goto(page.url());
  await window.getByRole("button", { name: "Close view" }).click();
  await window.getByText("No terminal is open").waitFor();
  await window.close();
  await page.reload();
  await untilTyping(page);

  await pane(page).getByRole("button", { name: "End terminal" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByText("A program still runs in it").waitFor();
  await question.getByRole("button", { name: "End terminal" }).click();
  await expect.poll(async () => (await client.process.get({ id: other })).state, soon).toBe("ended");
  const take = pane(page).getByRole("button", { name: "Take keyboard" });
  await expect.poll(() => take.getAttribute("title"), soon).toBe("The process has ended");
  // By a program, also for what has ended.
  expect(await client.views.close({ id: other })).toMatchObject({ closed: 1 });
  await page.getByText("No terminal is open").waitFor();
});

/** Names of buttons that stick out of the pane they belong to. */
async function outside(page: Page): Promise<string[]> {
  return await pane(page).evaluateAll((panes) =>
    panes.flatMap((element) => {
      const { left, right } = element.getBoundingClientRect();
      const buttons = [...element.querySelectorAll("button")].filter((button) => button.checkVisibility());
      const isOut = (box: DOMRect): boolean => box.left < left || box.right > right;
      return buttons.filter((button) => isOut(button.getBoundingClientRect())).map(({ title }) => title);
    }),
  );
}

test("six stand side by side and each can be closed; a program that is no shell is ended only after a question", async () => {
  const { client, dashboard, start } = home();
  const names = ["two", "three", "four", "five", "six"];
  for (const name of names) await start("sleep 1000", { name, mode: "pty" });
  const id = await start("exec sleep 1000", { name: "one", mode: "pty" });
  const page = await dashboard.page(`/terminals?open=${id}`);
  const first = pane(page).first();
  for (const [index, name] of names.entries()) {
    const split = { name: "Split right" };
    if (index < 2) await first.getByRole("button", split).click();
    else {
      await first.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", split).click();
    }
    await page.getByRole("dialog").getByRole("button", { name }).click();
    await expect.poll(() => pane(page).count(), soon).toBe(index + 2);
    expect(await outside(page)).toEqual([]);
  }
  await pane(page).last().getByRole("button", { name: "Close view" }).click();
  await expect.poll(() => pane(page).count(), soon).toBe(5);

  await first.getByRole("button", { name: "Take keyboard" }).click();
  await first.getByText("You type").waitFor();
  const choose = async (name: string): Promise<void> => {
    await first.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  // The focus goes where it is wanted, and back to the button of the menu.
  const focused = page.locator(":focus");
  await choose("Search");
  await expect.poll(() => focused.getAttribute("aria-label"), soon).toBe("Search in this terminal");
  await page.keyboard.press("Escape");
  await choose("End terminal");
  const question = page.getByRole("alertdialog");
  await question.waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => focused.getAttribute("aria-label"), soon).toBe("More");
  await choose("End terminal");
  await question.getByText("one still runs").waitFor();
  expect((await client.process.get({ id })).state).toBe("running");
  await question.getByRole("button", { name: "End terminal" }).click();
  await expect.poll(async () => (await client.process.get({ id })).state, soon).toBe("ended");
  // Its screen stays; nobody types into it.
  await client.process.remove({ ids: [id] });
  await page
    .getByRole("region", { name: `Terminal ${id}` })
    .getByText("Read-only")
    .waitFor();
  expect(await first.getByText("You type").count()).toBe(0);
});

test("a process without a terminal is shown as its output, with a line to type into", async () => {
  const { dashboard, start } = home();
  const echo = `printf '\\033[32mgreen\\033[0m\\n'; echo oops >&2; while read line; do echo "got $line"; done`;
  const id = await start(echo, { name: "piped", stdin: "open" });
  const page = await dashboard.page("/terminals");
  await page.getByRole("button", { name: "New terminal" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "piped" }).click();
  const shown = page.getByRole("region", { name: "Process piped" });
  await shown.getByText("green").waitFor();
  await shown.getByText("oops").waitFor();
  expect(await shown.getByRole("button", { name: /keyboard|End terminal/ }).count()).toBe(0);
  await shown.getByLabel("Input for the process").fill("a line");
  await page.keyboard.press("Enter");
  await shown.getByText("got a line").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await shown.getByRole("button", { name: "Close input" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Close input" }).click();
  await shown.getByText("succeeded").waitFor();
  await expect.poll(() => shown.getByLabel("Input for the process").count(), soon).toBe(0);
  // As by a link, and as it was left.
  await shown.getByRole("button", { name: "Close view" }).click();
  await page.goto(`${dashboard.origin}/terminals?open=${id}`);
  await shown.getByText("got a line").waitFor();
  await page.reload();
  await shown.getByText("got a line").waitFor();
});

test("who may only look is told so where they would type or end", async () => {
  const { client, daemon } = home();
  const { process } = await client.terminal.open({ key: "looked at", cwd: "/tmp", shell: "/bin/bash" });
  const dashboard = await startDashboard(daemon, { role: "viewer" });
  const page = await dashboard.page(`/terminals?open=${process.id}`);
  await untilRows(page, (rows) => rows.length > 0, "a prompt");
  const reason = "You are signed in as viewer; this needs operator";
  for (const name of ["Take keyboard", "End terminal"])
    await expect
      .poll(() => pane(page).getByRole("button", { name }).getAttribute("title"), soon)
      .toBe(reason);
  await page.getByRole("button", { name: "New terminal" }).click();
  expect(await page.getByRole("button", { name: "Open a shell" }).getAttribute("title")).toBe(reason);
});
