// How long until a person can use the first page: from the navigation, on loopback, with nothing in the browser's cache, until the list of
// processes is painted and the page's main thread is free again.
import type { Browser } from "playwright-core";
import { DaemonHome } from "../daemon/daemon-home.ts";
import { median } from "../keeper/statistics.ts";
import { barRow, rounds, type Row } from "../keeper/table.ts";

const barMs = 1_000;
const processCount = 100;

export interface FirstViewOptions {
  readonly scratch: string;
  readonly daemonProgram: string;
  readonly roundCount: number;
}

/** Runs in the page, before its scripts. */
function watchForInteractive(): void {
  const observer = new MutationObserver(() => {
    // The number of processes that run: known, drawn, and a link.
    const figure = [...document.querySelectorAll("main a")].find(({ textContent }) =>
      /^Running\d+$/.test(textContent ?? ""),
    );
    if (figure === undefined) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.addEventListener(
        "message",
        () => Object.assign(globalThis, { interactiveMs: performance.now() }),
        {
          once: true,
        },
      );
      channel.port1.start();
      channel.port2.postMessage(undefined);
    });
  });
  observer.observe(document, { childList: true, subtree: true, characterData: true });
}

export async function benchFirstView(
  browser: Browser,
  { scratch, daemonProgram, roundCount }: FirstViewOptions,
): Promise<readonly Row[]> {
  await using home = await DaemonHome.open(scratch, daemonProgram);
  const client = await home.connect();
  await client.config.set({ key: "dashboard.port", value: 0 });
  for (let index = 0; index < processCount; index++)
    await client.process.start({ command: ["sleep", "1000"], cwd: "/" });
  const { address, link } = await client.dashboard.open({});
  client.close();
  const first = await browser.newContext();
  const entering = await first.newPage();
  await entering.goto(link);
  await entering.waitForURL(`${address}/`);
  const storageState = await first.storageState();
  await first.close();
  const took: number[] = [];
  for (let round = 0; round < roundCount; round++) {
    // A context of its own has a cache of its own.
    const context = await browser.newContext({ storageState });
    const page = await context.newPage();
    await page.addInitScript(watchForInteractive);
    await page.goto(address);
    const handle = await page.waitForFunction(
      () => Reflect.get(globalThis, "interactiveMs") as number | undefined,
    );
    took.push(Number(await handle.jsonValue()));
    await context.close();
  }
  const middle = median(took);
  return [
    barRow({
      work: `the first page, with ${processCount} processes, until it can be used`,
      ours: rounds(took, "ms", 0),
      other: "",
      ratio: "",
      bar: "under 1 s",
      holds: middle < barMs,
    }),
  ];
}
