// The output of a process in a real browser: colours, streams, following, and logs that are longer than anything that is loaded.
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { dashboardHome } from "../support/dashboard.ts";

const home = dashboardHome();
const untilMs = { timeout: 20_000 };

function screen(page: Page): Locator {
  return page.getByRole("region", { name: "Output of the process" });
}

function toggle(page: Page, name: string): Locator {
  return page.getByRole("toolbar", { name: "Output" }).getByRole("button", { name, exact: true });
}

function line(page: Page, text: string | RegExp): Locator {
  return screen(page).locator("[data-offset]").filter({ hasText: text });
}

/** Pixels below what is in view. */
async function below(page: Page): Promise<number> {
  return await screen(page).evaluate((element) => {
    return element.scrollHeight - element.scrollTop - element.clientHeight;
  });
}

/** Where it stands when it stands still: a wheel moves it for several frames. */
async function scrolledTo(page: Page): Promise<number> {
  return await screen(page).evaluate(async (element) => {
    for (;;) {
      const top = element.scrollTop;
      for (let frame = 0; frame < 10; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
      if (element.scrollTop === top) return top;
    }
  });
}

async function lineCount(page: Page): Promise<number> {
  return await screen(page).locator("[data-offset]").count();
}

test("colours, the stream of errors, times, and markup as text", async () => {
  const { dashboard, client, start } = home();
  const id = await start(
    String.raw`printf '\033[1;31mred\033[0m plain <img src=x onerror=alert(1)>\n'; printf '10 %%\r100 %%\n'; echo oops >&2`,
  );
  await client.process.wait({ ids: [id] });
  const page = await dashboard.page(`/processes/${id}`);
  await line(page, "red plain <img src=x onerror=alert(1)>").waitFor();
  const red = screen(page).getByText("red", { exact: true });
  expect(await red.evaluate((element) => getComputedStyle(element).color)).toBe("rgb(179, 38, 30)");
  expect(await red.evaluate((element) => getComputedStyle(element).fontWeight)).toBe("600");
  expect(await screen(page).locator("img").count()).toBe(0);
  expect(await line(page, "100 %").innerText()).not.toContain("10 %\n");
  await line(page, /^err\s*oops$/).waitFor();
  expect(await line(page, "red").innerText()).not.toMatch(/\d\d:\d\d:\d\d/);
  await toggle(page, "Times").click();
  await line(page, /^err\s*\d\d:\d\d:\d\d\.\d\d\d\s*oops$/).waitFor();
  await page.reload();
  await line(page, /\d\d:\d\d:\d\d\.\d\d\d\s*oops$/).waitFor();
  await page.getByText("At the end").waitFor();
});

test("it follows what comes, lets go when a person scrolls up, and takes hold again", async () => {
  const { dashboard, client, start } = home();
  const id = await start('seq 1 400; while read line; do echo "got $line"; done', { stdin: "open" });
  const type = (text: string): Promise<unknown> =>
    client.process.write({ id, parts: [{ text: `${text}\n` }] });
  const page = await dashboard.page(`/processes/${id}`);
  await line(page, /^400$/).waitFor();
  await type("one");
  await line(page, "got one").waitFor();
  expect(await toggle(page, "Follow").getAttribute("aria-pressed")).toBe("true");
  await screen(page).hover();
  await page.mouse.wheel(0, -600);
  await expect.poll(() => toggle(page, "Follow").getAttribute("aria-pressed"), untilMs).toBe("false");
  await expect.poll(() => below(page), untilMs).toBeGreaterThan(500);
  const before = await scrolledTo(page);
  await type("two".padEnd(200, "."));
  // The bar knows that there is more, and the view stays where it is.
  await expect.poll(() => page.getByText("in all").innerText(), untilMs).toBe("1.7 KB in all");
  expect(await scrolledTo(page)).toBe(before);
  await toggle(page, "Follow").click();
  await line(page, "got two").waitFor();
  await expect.poll(() => below(page), untilMs).toBeLessThan(2);
  await type("three");
  await line(page, "got three").waitFor();
});

test("long lines are wrapped where they were counted to, wide characters too; or not at all", async () => {
  const { dashboard, client, start } = home();
  const id = await start(`printf '%s\\n' '${"x".repeat(1_000)}' '${"日本語é→".repeat(100)}' last`);
  await client.process.wait({ ids: [id] });
  const page = await dashboard.page(`/processes/${id}`, { width: 700 });
  await line(page, "last").waitFor();
  const overflow = async (): Promise<number[]> =>
    await screen(page)
      .locator("[data-offset] > span:last-child")
      .evaluateAll((texts) =>
        texts.map((text) => text.getBoundingClientRect().height - (text.parentElement?.clientHeight ?? 0)),
      );
  await expect.poll(overflow, untilMs).toEqual([0, 0, 0]);
  expect(await line(page, "xxx").evaluate((element) => element.clientHeight)).toBeGreaterThan(18 * 10);
  await toggle(page, "Wrap").click();
  await expect.poll(() => line(page, "xxx").evaluate((element) => element.clientHeight), untilMs).toBe(18);
});

test("the whole log can be scrolled: its beginning, a gap where it was trimmed, its end; a bounded part of it exists", async () => {
  const { dashboard, client, start } = home();
  const limits = { headBytes: 65_536, tailBytes: 2_097_152 };
  const id = await start("seq 1 2000000", { limits });
  await client.process.wait({ ids: [id] });
  const page = await dashboard.page(`/processes/${id}`);
  await line(page, /^2000000$/).waitFor();
  expect(await lineCount(page)).toBeLessThan(120);
  await screen(page).focus();
  await page.keyboard.press("Home");
  await line(page, /^1$/).waitFor();
  expect(await lineCount(page)).toBeLessThan(120);
  const { kept } = await client.process.output({ id, tailBytes: 1, limitBytes: 1 });
  await page.goto(`${dashboard.origin}/processes/${id}?at=${(kept[1]?.from ?? 0) + 100}`);
  await screen(page).getByText("of output are no longer kept here").waitFor();
  await page.getByText(/MB no longer kept/).waitFor();
});

test("search looks through the whole log, walks through what it found and jumps there; a link leads to a line", async () => {
  const { dashboard, client, start } = home();
  const id = await start("seq 1 300000; echo 'needle.1 (here)'; seq 1 300000; echo 'NEEDLE.2'; seq 1 100000");
  await client.process.wait({ ids: [id] });
  const page = await dashboard.page(`/processes/${id}`);
  await line(page, /^100000$/).waitFor();
  const box = page.getByRole("searchbox", { name: "Search the whole output" });
  await box.fill("needle.");
  await box.press("Enter");
  await page.getByText("2 lines found").waitFor();
  await line(page, "needle.1 (here)").waitFor();
  expect(await screen(page).locator("mark").innerText()).toBe("needle.");
  await page.getByRole("button", { name: "Next match" }).click();
  await line(page, "NEEDLE.2").waitFor();
  const address = page.url();
  expect(address).toMatch(/\?at=\d+$/);
  await page.getByRole("button", { name: "Match case" }).click();
  await page.getByText("1 line found").waitFor();
  await page.getByRole("button", { name: "Regular expression" }).click();
  await box.fill("^needle.[0-9]( |$)");
  await box.press("Enter");
  await page.getByText("1 line found").waitFor();
  await box.fill("(");
  await box.press("Enter");
  await page.getByText("The search did not work").waitFor();
  await page.goto(address);
  await line(page, "NEEDLE.2").waitFor();
  expect(await toggle(page, "Follow").getAttribute("aria-pressed")).toBe("false");
});

test("a jump reaches the match itself, far into a line, whether lines are wrapped or not", async () => {
  const { dashboard, client, start } = home();
  const id = await start(
    String.raw`printf '\033[32m%020000d\033[0m\303\251CODE=42\n%0300000d' 0 0; echo CODE=43`,
  );
  await client.process.wait({ ids: [id] });
  const page = await dashboard.page(`/processes/${id}`);
  const box = page.getByRole("searchbox", { name: "Search the whole output" });
  await box.fill("code=4");
  await box.press("Enter");
  await page.getByText("2 lines found").waitFor();
  const isInView = async (text: string): Promise<boolean> =>
    await line(page, text).evaluate((element) => {
      const mark = element.querySelector("mark")?.getBoundingClientRect();
      const view = element.closest("section")?.getBoundingClientRect();
      if (mark === undefined || view === undefined) return false;
      return (
        mark.top >= view.top &&
        mark.bottom <= view.bottom &&
        mark.left >= view.left &&
        mark.right <= view.right
      );
    });
  const step = page.getByRole("button", { name: "Next match" });
  const at = (): string | null => new URL(page.url()).searchParams.get("at");
  await expect.poll(() => isInView("CODE=42"), untilMs).toBe(true);
  expect(at()).toBe("20011");
  await step.click();
  await expect.poll(() => isInView("CODE=43"), untilMs).toBe(true);
  expect(at()).toBe("320019");
  await toggle(page, "Wrap").click();
  await step.click();
  await expect.poll(() => isInView("CODE=42"), untilMs).toBe(true);
  await step.click();
  await expect.poll(() => isInView("CODE=43"), untilMs).toBe(true);
  // A link marks the piece that holds it.
  await page.reload();
  await page.locator(".bg-warn-soft[data-offset]").filter({ hasText: "CODE=43" }).waitFor();
});

test("a gigabyte opens at once, at its end and anywhere else", async () => {
  const { dashboard, client, start } = home();
  const id = await start(
    "yes 'a line of this very long log, as long as lines often are' | head -c 1073741824",
    {
      limits: { tailBytes: 1_200_000_000 },
    },
  );
  await client.process.wait({ ids: [id], timeoutMs: 60_000 });
  const page = await dashboard.page(`/processes/${id}`);
  await line(page, "a line of this very long log").first().waitFor();
  await page.getByText("1.1 GB in all").waitFor();
  const slider = page.getByRole("slider", { name: "Position in the output" });
  await slider.fill("500");
  await page.getByText(/^At 53\d MB$/).waitFor();
  await line(page, "a line of this very long log").first().waitFor();
  expect(await lineCount(page)).toBeLessThan(120);
  const requests: number[] = [];
  page.on("response", (answer) => {
    if (answer.url().endsWith("/v1/process.output"))
      requests.push(Number(answer.headers()["content-length"] ?? 0));
  });
  await slider.fill("10");
  await page.getByText(/^At 10\.\d MB$/).waitFor();
  await line(page, "a line of this very long log").first().waitFor();
  // A page or two around the place, not what lies between.
  expect(requests.length).toBeLessThan(12);
}, 120_000);

test("a flood is shown at its end and does not pile up", async () => {
  const { dashboard, client, start } = home();
  const id = await start("yes flood");
  const page = await dashboard.page(`/processes/${id}`);
  await line(page, "flood").first().waitFor();
  const shown = async (): Promise<number> =>
    Number(await screen(page).locator("[data-offset]").last().getAttribute("data-offset"));
  await expect
    .poll(
      async () => {
        const { outputBytes } = await client.process.get({ id });
        return outputBytes > 200_000_000 && (await shown()) > 50_000_000;
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  expect(await toggle(page, "Follow").getAttribute("aria-pressed")).toBe("true");
  await client.process.stop({ ids: [id], graceMs: 0 });
  await page.getByText("At the end").waitFor();
  const { outputBytes } = await client.process.get({ id });
  await expect.poll(shown, untilMs).toBeGreaterThan(outputBytes - 10_000);
}, 120_000);

test("the end of it is copied, and all of it downloaded", async () => {
  const { dashboard, client, start } = home();
  const id = await start(String.raw`printf '\033[31mred\033[0m\n'; echo end`);
  await client.process.wait({ ids: [id] });
  const page = await dashboard.page(`/processes/${id}`);
  await line(page, "end").waitFor();
  await page.getByRole("button", { name: "Copy output" }).click();
  await page.getByText("Output copied").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("red\nend\n");
  await page.getByRole("button", { name: "Download output" }).click();
  const recording = page.getByRole("menuitem", { name: /^Recording/ });
  expect(await recording.getAttribute("aria-disabled")).toBe("true");
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Plain text" }).click();
  const address = new URL((await download).url());
  expect(`${address.pathname}${address.search}`).toBe(`/v1/process.output/file?id=${id}&format=plain`);
});
