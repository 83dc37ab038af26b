// A process played again in a real browser: its timing, speed, seek, download, and recordings that are hostile.
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { seriousFindings } from "../support/axe.ts";
import { dashboardHome } from "../support/dashboard.ts";
import { rowsOf, untilRow, untilRows } from "../support/web-terminal.ts";

const home = dashboardHome();
const soon = { timeout: 30_000 };

/** @param steps what is recorded before it is let go on, each time it reads a line */
async function recorded(script: string, steps: readonly string[] = []): Promise<string> {
  const { client, start } = home();
  const id = await start(["bash", "-c", `stty -echo; ${script}`], { mode: "pty", stdin: "open" });
  for (const step of steps) {
    const end = async (): Promise<string> => (await client.process.output({ id, tailBytes: 200 })).text ?? "";
    await expect.poll(end, soon).toContain(step);
    await client.process.write({ id, parts: [{ key: "enter" }] });
  }
  await client.process.wait({ ids: [id], timeoutMs: 30_000 });
  return id;
}

async function castOf(page: Page, id: string): Promise<string> {
  const { origin } = home().dashboard;
  const file = await page.request.get(`${origin}/v1/process.output/file?id=${id}&format=asciicast`);
  return await file.text();
}

/** It begins to play by itself, and may be over before a busy machine has found the button. */
async function standStill(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: /^(?:Pause|Play)$/ });
  await button.evaluate((element: HTMLElement) => {
    if (element.textContent?.trim() === "Pause") element.click();
  });
  await page.getByRole("button", { name: "Play" }).waitFor();
}

/** Seconds of the recording. */
async function time(page: Page): Promise<number> {
  return Number(await page.getByLabel("Time").inputValue());
}

/** Stands still at a part of the recording, 0…1. */
async function seek(page: Page, seconds: number): Promise<void> {
  await page.getByLabel("Time").fill(String(seconds));
}

test("it plays with its timing, at a speed, from any moment", async () => {
  const script = "printf 'one '; read; sleep 1; printf 'two '; read; sleep 1; printf 'three'";
  const id = await recorded(script, ["one", "two"]);
  const page = await home().dashboard.page(`/processes/${id}/replay`);
  await standStill(page);
  // When it was written is up to the machine; a second or more lies between any two.
  const cast = await castOf(page, id);
  const [second, third] = [momentAfter(cast, "two"), momentAfter(cast, "three")];
  const begin = second - 0.5;
  const duration = Number(await page.getByLabel("Time").getAttribute("max"));
  expect(duration).toBeGreaterThanOrEqual(2);
  await seek(page, begin);
  await untilRow(page, "one");
  await seek(page, third - 0.5);
  await untilRow(page, "one two");
  await seek(page, duration);
  await untilRow(page, "one two three");
  await seek(page, begin);
  await untilRow(page, "one");
  expect(await seriousFindings(page)).toEqual([]);

  // Half the speed: however slow the page is, no more of the recording passes than half the time; but of a pause no more than a
  // second is shown then.
  const cut = Math.max(0, third - second - 1) + Math.max(0, duration - third - 1);
  await page.getByLabel("Speed").selectOption("0.5×");
  const began = performance.now();
  await page.getByRole("button", { name: "Play" }).click();
  const rows = await untilRows(page, ([line = ""]) => line !== "one", "more than the first word");
  const passed = (await time(page)) - begin;
  const elapsed = (performance.now() - began) / 1000;
  expect(rows[0]).toMatch(/^one two/);
  expect(passed).toBeGreaterThan(0.4);
  expect(passed).toBeLessThanOrEqual(elapsed / 2 + cut + 0.05);
  await page.getByLabel("Speed").selectOption("16×");
  await untilRow(page, "one two three");
  await page.getByRole("button", { name: "Play" }).waitFor();
  expect(await time(page)).toBeCloseTo(duration, 3);
  await page.getByLabel("Time").focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => time(page), soon).toBeCloseTo(Math.max(0, duration - 5), 3);
});

test("going back in a long recording shows what was there when it was played to the same moment", async () => {
  const paint = String.raw`for part in 1 2 3; do seq -f '%.0f of a long recording' 1 60000; printf '\033[1;3%dmpart %d\033[0m\n' $part $part; read; sleep 0.3; done`;
  const id = await recorded(paint, ["part 1", "part 2", "part 3"]);
  const page = await home().dashboard.page(`/processes/${id}/replay`);
  await standStill(page);
  // In the pause behind it: the slider has steps, and one of them may lie just before the text.
  const shown = momentAfter(await castOf(page, id), "part 2") + 0.1;
  const duration = Number(await page.getByLabel("Time").getAttribute("max"));
  await seek(page, shown);
  const played = await untilRow(page, "part 2");
  await seek(page, duration);
  const last = await untilRow(page, "part 3");
  expect(played).not.toContain("part 3");
  await seek(page, shown);
  await untilRows(page, (rows) => rows.join("\n") === played.join("\n"), "what was played");
  await seek(page, duration);
  await untilRows(page, (rows) => rows.join("\n") === last.join("\n"), "the end");
});

/** The time at which the recording has shown a text, and nothing after it. */
function momentAfter(cast: string, text: string): number {
  let at = 0;
  let shown = "";
  for (const line of cast.trim().split("\n").slice(1)) {
    const [interval, code, data] = JSON.parse(line) as [number, string, string];
    at += interval;
    if (code === "o") shown += data;
    if (shown.includes(text)) return at;
  }
  throw new Error(`the recording does not show ${text}`);
}

test("the recording is downloaded as asciicast v3", async () => {
  const id = await recorded("printf 'hello'; exit 3");
  const page = await home().dashboard.page(`/processes/${id}/replay`);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download asciicast" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/\.cast$/);
  const [header = "", ...lines] = readFileSync(await file.path(), "utf8")
    .trim()
    .split("\n");
  expect(JSON.parse(header)).toMatchObject({ version: 3, term: { cols: 80, rows: 24 } });
  expect(lines.map((line) => (JSON.parse(line) as unknown[]).slice(1))).toEqual([
    ["o", "hello"],
    ["x", "3"],
  ]);
});

test("a recording of hostile output plays to its end, and its links ask first", async () => {
  const id = await recorded(
    [
      // Each of these alone ends or hangs an emulator that is not guarded.
      String.raw`printf '\033[24;80H\033[1J'; sleep 0.05`,
      String.raw`printf '\033[24;80H\033[?1J'; sleep 0.05`,
      String.raw`printf '\033[2147483647L\033[2147483647M\033[2147483647S\033[2147483647T'; sleep 0.05`,
      String.raw`printf 'x\033[2147483647I\033[2147483647Zy\033[2147483647b'; sleep 0.05`,
      String.raw`printf 'e'; for i in $(seq 2000); do printf '\u0301'; done; sleep 0.05`,
      String.raw`printf '\033]52;c;c2VjcmV0\007\033]0;<img src=x>\007'; sleep 0.05`,
      String.raw`printf '\033[2J\033[H\033]8;;https://example.invalid/page\033\\link\033]8;;\033\\\r\nsafe\r\n'`,
    ].join("; "),
  );
  const page = await home().dashboard.page(`/processes/${id}/replay`);
  await page.evaluate(() => navigator.clipboard.writeText("mine"));
  await untilRow(page, "safe");
  expect(await rowsOf(page)).toEqual(["link", "safe"]);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("mine");
  expect(await page.locator("img").count()).toBe(0);
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.locator(".xterm-screen").hover({ position: { x: 10, y: 6 } });
  await page.locator(".xterm-cursor-pointer").waitFor();
  await page.mouse.down();
  await page.mouse.up();
  await page.getByRole("alertdialog").getByText("https://example.invalid/page").waitFor();
  expect(dialogs).toEqual([]);
});
