// A real browser for the tests of one file.
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";

const flags = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
}

/** Gives pages, each with cookies of its own. */
export function sharedChromium(): (options?: PageOptions) => Promise<Page> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: flags });
  });
  afterAll(async () => {
    await browser?.close();
  });
  return async ({ width = 1_000, height = 800, colorScheme = "light" } = {}) => {
    if (browser === undefined) throw new Error("the browser did not start");
    const context = await browser.newContext({ viewport: { width, height }, colorScheme });
    onTestFinished(() => context.close());
    return await context.newPage();
  };
}
