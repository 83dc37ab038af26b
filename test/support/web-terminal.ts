// A terminal of the dashboard as a person sees and uses it, in a real browser.
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { DashboardHome } from "./dashboard.ts";
import type { PageOptions } from "./dashboard.ts";

const soon = { timeout: 30_000 };

/** What the rows of the shown terminal say, without blank ends. */
export async function rowsOf(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>(".xterm-rows")];
    const shown = all.find((rows) => rows.offsetParent !== null);
    const lines = [...(shown?.children ?? [])].map((row) =>
      (row.textContent ?? "").replaceAll("\u00A0", " ").trimEnd(),
    );
    while (lines.at(-1) === "") lines.pop();
    return lines;
  });
}

/** Waits until the rows are so, and tells them. */
export async function untilRows(
  page: Page,
  isSo: (rows: readonly string[]) => boolean,
  what: string,
): Promise<string[]> {
  let seen: string[] = [];
  await expect
    .poll(async () => {
      seen = await rowsOf(page);
      return isSo(seen) ? what : seen.join("\n");
    }, soon)
    .toBe(what);
  return seen;
}

/** As untilRows, with the size in force at that moment: a window that changes may be fitted in several steps. */
export async function untilFitted(
  page: Page,
  isSo: (rows: readonly string[], size: { columns: number; rows: number }) => boolean,
  what: string,
): Promise<string[]> {
  let seen: string[] = [];
  await expect
    .poll(async () => {
      const size = await sizeOf(page);
      seen = await rowsOf(page);
      return isSo(seen, size) ? what : [JSON.stringify(size), ...seen].join("\n");
    }, soon)
    .toBe(what);
  return seen;
}

/** Waits until one of the rows is this. */
export async function untilRow(page: Page, row: string | RegExp): Promise<string[]> {
  const isIt = (text: string): boolean => (typeof row === "string" ? text === row : row.test(text));
  return await untilRows(page, (rows) => rows.some(isIt), String(row));
}

/** The pane that is shown, with its bar. */
export function pane(page: Page): Locator {
  return page.getByRole("region", { name: /^Terminal / }).filter({ visible: true });
}

/** Columns and rows in force, as the bar tells them. */
export async function sizeOf(page: Page): Promise<{ columns: number; rows: number }> {
  const text = await pane(page).getByTitle("Columns and rows in force").innerText();
  const [columns = 0, rows = 0] = text.split("×").map(Number);
  return { columns, rows };
}

export async function untilSize(
  page: Page,
  isSo: (size: { columns: number; rows: number }) => boolean,
): Promise<void> {
  await expect.poll(async () => isSo(await sizeOf(page)), soon).toBe(true);
}

export async function takeKeyboard(page: Page): Promise<void> {
  await pane(page).getByRole("button", { name: "Take keyboard" }).click();
  await untilTyping(page);
}

export async function untilTyping(page: Page): Promise<void> {
  await pane(page).getByText("You type").waitFor();
}

/** Another shell by the dialog of the page, with a prompt that is known. */
export async function openShell(page: Page): Promise<void> {
  await askForShell(page);
  await settlePrompt(page);
}

/** As openShell; it may not have begun to read. */
export async function askForShell(page: Page): Promise<void> {
  await page.getByRole("button", { name: "New terminal" }).first().click();
  await page.getByLabel("Directory").fill("/tmp");
  await page.getByRole("button", { name: "Open a shell" }).click();
  // Until then the terminal before it is shown, and may be typed into.
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await untilTyping(page);
}

/** A page with one shell, in which it may type. */
export async function shellPage(
  { client, dashboard }: DashboardHome,
  options: PageOptions & { readonly key: string; readonly cwd?: string },
): Promise<{ page: Page; id: string }> {
  const { key, cwd = "/tmp", ...pageOptions } = options;
  const { process } = await client.terminal.open({ key, cwd, shell: "/bin/bash" });
  const page = await dashboard.page(`/terminals?open=${process.id}`, pageOptions);
  await takeKeyboard(page);
  await settlePrompt(page);
  await untilTypistFits(client, page, process.id);
  return { page, id: process.id };
}

/** Sizes go a way of their own: whoever got the keyboard may type before the terminal has its size. */
export async function untilTypistFits(
  client: DashboardHome["client"],
  page: Page,
  id: string,
): Promise<void> {
  const isFitted = async (): Promise<boolean> => {
    const { views } = await client.views.list({ id });
    const window = views.find(({ keyboard }) => keyboard);
    const { columns, rows } = await sizeOf(page);
    return window?.columns === columns && window.rows === rows;
  };
  await expect.poll(isFitted, soon).toBe(true);
}

async function settlePrompt(page: Page): Promise<void> {
  await page.keyboard.insertText("PS1='> '; clear; echo ready");
  await page.keyboard.press("Enter");
  await untilRows(page, (rows) => rows[0] === "ready" && rows[1] === ">", "a prompt");
}
