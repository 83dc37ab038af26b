// A home with the built daemon and its dashboard at a place that a restart does not change, and a page that is signed in.
import type { Browser, Page } from "playwright-core";
import type { Client } from "../../src/sdk/index.ts";
import { DaemonHome } from "../daemon/daemon-home.ts";

export interface BenchOptions {
  readonly browser: Browser;
  readonly scratch: string;
  readonly daemonProgram: string;
  readonly isQuick: boolean;
}

export interface OpenHome {
  readonly home: DaemonHome;
  readonly client: Client;
  readonly page: Page;
  readonly origin: string;
}

const port = 18_833;

export async function withHome<Result>(
  { browser, scratch, daemonProgram }: BenchOptions,
  work: (opened: OpenHome) => Promise<Result>,
): Promise<Result> {
  await using home = await DaemonHome.open(scratch, daemonProgram);
  const client = await home.connect();
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
  try {
    await client.config.set({ key: "dashboard.port", value: port });
    await client.config.set({ key: "dashboard.listen", value: "always" });
    const { address: origin, link } = await client.dashboard.open({});
    const page = await context.newPage();
    await page.goto(link);
    await page.waitForURL(`${origin}/`);
    return await work({ home, client, page, origin });
  } finally {
    await context.close();
    client.close();
  }
}
