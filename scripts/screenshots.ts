// npm run screenshots: pictures of every page of the dashboard into docs/screenshots, from a home with real processes. They change with
// every run, so they are taken anew when a page changed, not by the checks.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { openTour, type Tour } from "./screenshots/tour-home.ts";
import { ensureDashboard } from "./setup/dashboard.mjs";

const folder = join(import.meta.dirname, "../docs/screenshots");
const wide = { width: 1280, height: 800 };
const phone = { width: 390, height: 800 };
// Long enough for the charts to have a shape.
const fewestSamples = 20;

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly isDark?: boolean;
  readonly isPhone?: boolean;
  /** Nobody is signed in. */
  readonly isStranger?: boolean;
  /** Resolves when the page shows what it is to show. */
  readonly prepare: (page: Page) => Promise<unknown>;
}

function picturesOf({ ids }: Tour): readonly Picture[] {
  const showsTests = async (page: Page): Promise<void> => {
    await page.getByText("Duration").first().waitFor();
  };
  const showsShell = async (page: Page): Promise<void> => {
    await page.getByText(/^\d+×\d+/).waitFor();
    await page.getByRole("button", { name: "Take keyboard" }).click();
    await page.getByText("You type").waitFor();
  };
  const showsNotices = (page: Page): Promise<void> =>
    page.getByRole("button", { name: /^process: ended tests failed/ }).click();
  const showsRows = (page: Page): Promise<void> => page.getByText("of 2,000,000 rows").first().waitFor();
  const showsCharts = (page: Page): Promise<unknown> =>
    page.waitForFunction(
      (fewest) =>
        (document.querySelector("svg[role=img] path[stroke]")?.getAttribute("d") ?? "").split("L").length >
        fewest,
      fewestSamples,
      { timeout: 120_000 },
    );
  return [
    {
      name: "sign-in",
      path: "/login",
      isStranger: true,
      prepare: (page) => page.getByRole("button", { name: "Sign in" }).waitFor(),
    },
    { name: "processes", path: "/processes", prepare: showsRows },
    { name: "processes-phone", path: "/processes", isPhone: true, prepare: showsRows },
    { name: "process", path: `/processes/${ids.tests}`, prepare: showsTests },
    { name: "process-dark", path: `/processes/${ids.tests}`, isDark: true, prepare: showsTests },
    {
      name: "process-tree",
      path: `/processes/${ids.web}?tab=tree`,
      prepare: (page) => page.getByRole("cell", { name: "node dev.mjs" }).first().waitFor(),
    },
    { name: "terminals", path: `/terminals?open=${ids.shell}`, prepare: showsShell },
    { name: "terminals-dark", path: `/terminals?open=${ids.shell}`, isDark: true, prepare: showsShell },
    {
      name: "replay",
      path: `/processes/${ids.shell}/replay`,
      prepare: async (page) => {
        const slider = page.getByRole("slider");
        await slider.press("End");
        await slider.blur();
      },
    },
    { name: "notifications", path: "/notifications", prepare: showsNotices },
    { name: "overview", path: "/", prepare: showsCharts },
    { name: "overview-phone", path: "/", isPhone: true, prepare: showsCharts },
  ];
}

async function signIn(
  browser: Browser,
  { client }: Tour,
): Promise<{ origin: string; context: BrowserContext }> {
  await client.config.set({ key: "dashboard.port", value: 0 });
  const { address: origin, link } = await client.dashboard.open({});
  const context = await browser.newContext({ viewport: wide });
  const page = await context.newPage();
  await page.goto(link);
  await page.waitForURL(`${origin}/`);
  return { origin, context };
}

async function takeAll(browser: Browser, tour: Tour): Promise<void> {
  const { origin, context } = await signIn(browser, tour);
  const storageState = await context.storageState();
  for (const { name, path, isDark = false, isPhone = false, isStranger = false, prepare } of picturesOf(
    tour,
  )) {
    const own = await browser.newContext({
      ...(isStranger ? {} : { storageState }),
      viewport: isPhone ? phone : wide,
      colorScheme: isDark ? "dark" : "light",
      reducedMotion: "reduce",
    });
    const page = await own.newPage();
    await page.goto(origin + path);
    await prepare(page);
    await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
    await own.close();
    console.log(`docs/screenshots/${name}.png`);
  }
}

mkdirSync(folder, { recursive: true });
await ensureDashboard();
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});
const tour = await openTour();
try {
  await takeAll(browser, tour);
} finally {
  await browser.close();
  await tour.close();
}
