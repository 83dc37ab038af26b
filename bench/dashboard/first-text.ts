// Tells when a text is painted in a terminal of a page, by the page's own clock: zero is when the page began to load.
import type { Page } from "playwright-core";

interface TextProbe {
  awaited: string;
  /** When the last key went down. */
  keyAt: number;
  paintedAt: number | undefined;
}

/** Runs in the page. */
function install(awaited: string): void {
  const probe: TextProbe = { awaited, keyAt: 0, paintedAt: undefined };
  Object.assign(globalThis, { holdfastText: probe });
  document.addEventListener("keydown", () => (probe.keyAt = performance.now()), { capture: true });
  const isThere = (): boolean =>
    [...document.querySelectorAll(".xterm-rows > div")].some(
      ({ textContent }) => textContent.trimEnd() === probe.awaited,
    );
  const observer = new MutationObserver(() => {
    if (probe.awaited === "" || !isThere()) return;
    probe.awaited = "";
    // The change is painted at the end of this frame; the task after it runs when that is done.
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.addEventListener("message", () => (probe.paintedAt = performance.now()), { once: true });
      channel.port1.start();
      channel.port2.postMessage(undefined);
    });
  });
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
}

type Probed = typeof globalThis & { holdfastText: TextProbe };

/** In every document the page loads from now on; in each, a row with nothing but this text is waited for first. */
export async function awaitTextOnLoad(page: Page, text: string): Promise<void> {
  await page.addInitScript(
    `addEventListener("DOMContentLoaded", () => (${install.toString()})(${JSON.stringify(text)}))`,
  );
}

/** What is waited for next, in the document that is loaded. */
export async function awaitText(page: Page, text: string): Promise<void> {
  await page.evaluate((awaited) => {
    Object.assign((globalThis as Probed).holdfastText, { awaited, paintedAt: undefined });
  }, text);
}

/** Milliseconds since the document began to load, and since the last key went down. */
export async function paintedAt(page: Page): Promise<{ sinceLoadMs: number; sinceKeyMs: number }> {
  await page.waitForFunction(() => (globalThis as Probed).holdfastText.paintedAt !== undefined, undefined, {
    timeout: 60_000,
  });
  const { keyAt, paintedAt: painted = 0 } = await page.evaluate(() => (globalThis as Probed).holdfastText);
  return { sinceLoadMs: painted, sinceKeyMs: painted - keyAt };
}
