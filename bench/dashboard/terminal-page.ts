// Measures a web terminal from inside its page, by what every xterm page has: a text area that takes keys and rows that
// show text. The graphics card is off for all, so that the rows are elements and a change of them can be seen.
import type { Page } from "playwright-core";

/** Runs in the page. Remembers when a key went down, and when the frame after the next change of the rows was painted. */
function install(): void {
  const probe = {
    keyAt: 0,
    paints: [] as number[],
    painted: undefined as (() => void) | undefined,
    awaited: "",
    found: undefined as (() => void) | undefined,
  };
  Object.assign(globalThis, { holdfastProbe: probe });
  document.addEventListener("keydown", () => (probe.keyAt = performance.now()), { capture: true });
  const rowsText = (): string =>
    [...document.querySelectorAll(".xterm-rows")].map(({ textContent }) => textContent).join("\n");
  const observer = new MutationObserver(() => {
    if (probe.keyAt > 0) {
      const keyAt = probe.keyAt;
      probe.keyAt = 0;
      // The change is painted at the end of this frame; the task after it runs when that is done.
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        const paint = (): void => {
          probe.paints.push(performance.now() - keyAt);
          probe.painted?.();
        };
        channel.port1.addEventListener("message", paint, { once: true });
        channel.port1.start();
        channel.port2.postMessage(undefined);
      });
    }
    if (probe.awaited !== "" && rowsText().includes(probe.awaited)) {
      probe.awaited = "";
      probe.found?.();
    }
  });
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
}

interface Probe {
  keyAt: number;
  paints: number[];
  painted: (() => void) | undefined;
  awaited: string;
  found: (() => void) | undefined;
}

const frameMs = 17;

export class TerminalPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Before the page's own scripts. */
  static async prepare(page: Page): Promise<TerminalPage> {
    await page.addInitScript(`addEventListener("DOMContentLoaded", () => (${install.toString()})())`);
    return new TerminalPage(page);
  }

  async focus(): Promise<void> {
    await this.#page.locator(".xterm-helper-textarea").last().focus();
  }

  /** From key down to the painted echo, one after the other, in milliseconds. */
  async typeLetters(count: number): Promise<number[]> {
    await this.#page.evaluate(() => {
      (globalThis as unknown as { holdfastProbe: Probe }).holdfastProbe.paints = [];
    });
    for (let index = 0; index < count; index++) {
      // At every moment of a frame alike: else a key would always fall right behind one, and only whole frames were told apart.
      await this.#page.waitForTimeout((index * 7) % frameMs);
      // Asked before the key, and answered by the page: a question that is repeated in each frame asks for frames, and the browser keeps
      // messages back until one is drawn.
      const painted = this.#page.evaluate(
        () =>
          new Promise<void>((resolve) => {
            (globalThis as unknown as { holdfastProbe: Probe }).holdfastProbe.painted = resolve;
          }),
      );
      await this.#page.keyboard.press("abcdefghij"[index % 10] ?? "a");
      await painted;
    }
    const paints = await this.#page.evaluate(
      () => (globalThis as unknown as { holdfastProbe: Probe }).holdfastProbe.paints,
    );
    // Off the line again: nothing is run.
    await this.#page.keyboard.press("Control+u");
    return paints;
  }

  /** Runs a command that prints its mark last; tells how long it took until the mark was on the screen. */
  async run(command: string, mark: string, timeoutMs: number): Promise<number> {
    await this.#page.keyboard.insertText(command);
    const shown = this.#page.evaluate(
      (awaited) =>
        new Promise<number>((resolve) => {
          const { holdfastProbe } = globalThis as unknown as { holdfastProbe: Probe };
          const beganMs = performance.now();
          holdfastProbe.found = () => resolve(performance.now() - beganMs);
          holdfastProbe.awaited = awaited;
        }),
      mark,
    );
    await this.#page.keyboard.press("Enter");
    const timer = Promise.withResolvers<never>();
    const timeout = setTimeout(() => timer.reject(new Error(`${mark} was not seen`)), timeoutMs);
    try {
      return await Promise.race([shown, timer.promise]);
    } finally {
      clearTimeout(timeout);
    }
  }

  /** What its scripts hold, after a collection. */
  async heapBytes(): Promise<number> {
    const session = await this.#page.context().newCDPSession(this.#page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    await session.detach();
    return usedSize;
  }
}
