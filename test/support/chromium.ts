// One Chromium per test file. Contexts, each with cookies of its own, are closed with their test, the browser with the file.
import { chromium, type Browser, type BrowserContext } from "playwright-core";
import { afterAll, onTestFinished } from "vitest";

/** Leads to this machine; a dashboard answers for it with `dashboard.hosts`. */
export const insecureHost = "dash.test";

const browserArguments = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A name that is not loopback to the browser: pages from there are no secure context.
  `--host-resolver-rules=MAP ${insecureHost} 127.0.0.1`,
  // Terminals then draw their rows as elements, which a test can read.
  "--disable-3d-apis",
];

export interface ContextOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  readonly headers?: Readonly<Record<string, string>>;
}

let browser: Promise<Browser> | undefined;

afterAll(async () => {
  await (await browser)?.close();
  browser = undefined;
});

export async function newBrowserContext(options: ContextOptions = {}): Promise<BrowserContext> {
  const { width = 1280, height = 800, theme = "light", headers = {} } = options;
  browser ??= chromium.launch({ executablePath: "/usr/bin/chromium", args: browserArguments });
  const opened = await browser;
  const context = await opened.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
    extraHTTPHeaders: headers,
  });
  onTestFinished(() => context.close());
  return context;
}
