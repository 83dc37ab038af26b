// Full-screen programs in a terminal of the browser: an editor, a pager, one that paints again and again.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dashboardHome } from "../support/dashboard.ts";
import { testDirectory } from "../support/test-home.ts";
import {
  rowsOf,
  shellPage,
  sizeOf,
  untilFitted,
  untilRow,
  untilRows,
  untilSize,
  untilTyping,
} from "../support/web-terminal.ts";

const home = dashboardHome();

function directory(name: string): string {
  const path = join(testDirectory(), name);
  mkdirSync(path);
  return path;
}

test("vim: typed text, a window that changes its size, a reload, a killed daemon; then the shell is there as it was", async () => {
  const cwd = directory("vim");
  const { page } = await shellPage(home(), { key: "vim", cwd });
  const { daemon } = home();
  await page.keyboard.type("echo before; vim.tiny -u NONE -N note\n");
  const isEditor = (rows: readonly string[], lines: number): boolean =>
    rows.filter((row) => row === "~").length === lines;
  const first = await sizeOf(page);
  await untilRows(page, (rows) => isEditor(rows, first.rows - 2), "an empty file");
  await page.keyboard.type("ihello");
  await page.keyboard.press("Enter");
  await page.keyboard.type("wörld");
  await untilRows(page, (rows) => rows[0] === "hello" && rows[1] === "wörld", "what was typed");
  await page.setViewportSize({ width: 900, height: 500 });
  await untilSize(page, ({ rows }) => rows < first.rows);
  await untilFitted(page, (rows, size) => isEditor(rows, size.rows - 3), "the editor in the smaller window");
  await page.keyboard.press("Escape");
  await page.keyboard.type(":set number\n");
  const before = await untilRows(page, (rows) => rows[1]?.trim() === "2 wörld", "numbered lines");
  await page.reload();
  await untilTyping(page);
  await untilRows(page, (rows) => rows.join("\n") === before.join("\n"), "the same screen");
  await daemon.kill();
  await page.getByText("The connection to the daemon is lost").waitFor();
  await daemon.start();
  await page.getByText("The connection to the daemon is lost").waitFor({ state: "detached" });
  await untilTyping(page);
  // Who types is told before the screen is drawn again.
  await untilRows(page, (rows) => rows.join("\n") === before.join("\n"), "the same screen");
  await page.keyboard.type("oafter");
  await page.keyboard.press("Escape");
  await page.keyboard.type(":wq\n");
  // Nothing of the editor is left on the screen of the shell.
  const shell = await untilRows(page, (rows) => rows.at(-1) === ">", "the shell");
  expect(shell).toEqual(["ready", "> echo before; vim.tiny -u NONE -N note", "before", ">"]);
  expect(readFileSync(join(cwd, "note"), "utf8")).toBe("hello\nwörld\nafter\n");
});

test("less: pages by keys, by the size of the window and by the wheel, searches, and leaves the shell as it was", async () => {
  const cwd = directory("less");
  writeFileSync(
    join(cwd, "lines"),
    Array.from({ length: 500 }, (_, index) => `line ${index + 1}\n`).join(""),
  );
  const { page } = await shellPage(home(), { key: "less", cwd });
  await page.keyboard.type("less --mouse lines\n");
  const { rows: tall } = await sizeOf(page);
  await untilRows(page, (rows) => rows[0] === "line 1" && rows[tall - 2] === `line ${tall - 1}`, "a page");
  await page.keyboard.press("Space");
  await untilRows(page, (rows) => rows[0] === `line ${tall}`, "the next page");
  await page.setViewportSize({ width: 1280, height: 500 });
  await untilSize(page, ({ rows }) => rows < tall);
  await page.keyboard.type("g");
  /** All of it: a page may be drawn in several steps. */
  const isPageFrom = (first: number) => (rows: readonly string[], size: { readonly rows: number }) =>
    rows[0] === `line ${first}` && rows[size.rows - 2] === `line ${first + size.rows - 2}`;
  await untilFitted(page, isPageFrom(1), "a low page");
  await page.keyboard.type("/line 250\n");
  const isFound = isPageFrom(250);
  const found = await untilFitted(
    page,
    (rows, size) => isFound(rows, size) && rows.at(-1) === ":",
    "the line",
  );
  await page.reload();
  await untilTyping(page);
  await untilRows(page, (rows) => rows.join("\n") === found.join("\n"), "the same screen");
  // What the program asked of the mouse came back too.
  await page.locator(".xterm-screen").hover();
  await page.mouse.wheel(0, 200);
  await untilRows(page, ([row = ""]) => Number(row.replace("line ", "")) > 250, "lines further down");
  await page.keyboard.type("q");
  const shell = await untilRows(page, (rows) => rows.at(-1) === ">", "the shell");
  expect(shell).toEqual(["ready", "> less --mouse lines", ">"]);
});

test("top: paints again and again, obeys keys and the size of the window, and comes back after a reload", async () => {
  const { page } = await shellPage(home(), { key: "top" });
  await page.keyboard.type("top -d 0.5\n");
  await untilRow(page, /^top - /);
  await untilRow(page, /^\s*PID USER/);
  await untilRow(page, /^%Cpu\(s\):/);
  await page.keyboard.type("1");
  await untilRow(page, /^%Cpu0\s*:/);
  const clock = async (): Promise<string> => (await rowsOf(page))[0]?.slice(0, 14) ?? "";
  const shown = await clock();
  await expect.poll(clock, { timeout: 20_000 }).not.toBe(shown);
  await page.setViewportSize({ width: 1280, height: 400 });
  await untilSize(page, ({ rows }) => rows < 25);
  await untilRow(page, /^%Cpu0\s*:/);
  await page.reload();
  await untilTyping(page);
  await untilRow(page, /^%Cpu0\s*:/);
  const after = await clock();
  await expect.poll(clock, { timeout: 20_000 }).not.toBe(after);
  await page.keyboard.type("q");
  await untilRows(page, (rows) => rows.at(-1) === ">", "the shell");
});
