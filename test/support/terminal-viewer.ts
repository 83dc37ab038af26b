// A viewer of a terminal as the dashboard is one: it draws what it is sent with an emulator of its own.
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import xterm from "@xterm/headless";
import { expect, onTestFinished } from "vitest";
import type { Client } from "../../src/client/index.ts";
import type { TerminalViewHandlers, TerminalViewOptions } from "../../src/client/terminal-view.ts";
import type { ViewersMessage, ViewScreen } from "../../src/protocol/view-frames.ts";
import { serialise } from "../../src/terminals/state/serialise.ts";

const deadlineMs = 30_000;

export class Viewer {
  /** Every screen that came, without its state. */
  readonly screens: ViewScreen[] = [];
  readonly titles: string[] = [];
  viewers: ViewersMessage | undefined;
  hasEnded = false;
  isClosed = false;
  /** What it was sent since the last screen, and how much in all. */
  output = "";
  outputBytes = 0;
  readonly #terminal = new xterm.Terminal({ scrollback: 1_000, allowProposedApi: true, logLevel: "off" });
  readonly view: ReturnType<Client["view"]>;
  #wake = Promise.withResolvers<void>();
  /** Drawn, and not given back as credit. */
  #withheld: number | undefined;

  constructor(client: Client, id: string, options: Partial<TerminalViewOptions>) {
    this.#terminal.loadAddon(new UnicodeGraphemesAddon());
    this.view = client.view({
      id,
      name: "test",
      columns: 80,
      rows: 24,
      ...options,
      handlers: this.#handlers(),
    });
  }

  get size(): { readonly columns: number; readonly rows: number } {
    return { columns: this.#terminal.cols, rows: this.#terminal.rows };
  }

  get hasKeyboard(): boolean {
    return this.viewers !== undefined && this.viewers.keyboard === this.viewers.you;
  }

  /** Of the screen, without blank ends. */
  get lines(): string[] {
    const { active } = this.#terminal.buffer;
    const lines = Array.from({ length: this.#terminal.rows }, (_, row) =>
      (active.getLine(active.baseY + row)?.translateToString(true) ?? "").trimEnd(),
    );
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }

  /** The same for two that look the same and go on alike. */
  get state(): string {
    return serialise(this.#terminal, "");
  }

  /** Resolves when this is true; fails, with what was seen, when it does not become so. */
  async until(condition: (viewer: this) => boolean, what: string): Promise<void> {
    const deadline = AbortSignal.timeout(deadlineMs);
    const late = new Promise<void>((resolve) => deadline.addEventListener("abort", () => resolve()));
    while (!condition(this)) {
      if (deadline.aborted) throw new Error(`not so within ${deadlineMs} ms: ${what}\n${this.#describe()}`);
      await Promise.race([this.#wake.promise, late]);
    }
  }

  #describe(): string {
    const { screens, viewers, hasEnded, isClosed, lines } = this;
    return [JSON.stringify({ screens, viewers, hasEnded, isClosed }), ...lines].join("\n");
  }

  async type(text: string): Promise<void> {
    await this.view.write(text);
  }

  /** Takes nothing more. */
  pause(): void {
    this.#withheld ??= 0;
  }

  resume(): void {
    const bytes = this.#withheld ?? 0;
    this.#withheld = undefined;
    this.view.parsed(bytes);
  }

  async close(): Promise<void> {
    await this.view.close();
    this.#terminal.dispose();
  }

  #handlers(): TerminalViewHandlers {
    return {
      onScreen: (screen, state) => {
        this.#terminal.write("", () => {
          this.screens.push(screen);
          this.output = "";
          this.#terminal.reset();
          this.#terminal.resize(screen.columns, screen.rows);
        });
        this.#draw(state);
      },
      onOutput: (bytes) => {
        this.output += Buffer.from(bytes).toString();
        this.outputBytes += bytes.length;
        this.#draw(bytes);
      },
      onResized: ({ columns, rows }) => this.#terminal.write("", () => this.#terminal.resize(columns, rows)),
      onTitle: (title) => this.#changed(() => this.titles.push(title)),
      onViewers: (viewers) => this.#changed(() => (this.viewers = viewers)),
      onEnd: () => this.#terminal.write("", () => this.#changed(() => (this.hasEnded = true))),
      onClosed: () => this.#changed(() => (this.isClosed = true)),
    };
  }

  #draw(bytes: Uint8Array): void {
    this.#terminal.write(bytes, () => {
      if (this.#withheld === undefined) this.view.parsed(bytes.length);
      else this.#withheld += bytes.length;
      this.#changed(() => undefined);
    });
  }

  #changed(change: () => unknown): void {
    change();
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }
}

/** What the last of them drew may still be on its way to the others. */
export async function untilAlike(one: Viewer, other: Viewer): Promise<void> {
  const isAlike = (): boolean => one.state === other.state;
  await expect.poll(isAlike, { timeout: deadlineMs, message: "both draw the same" }).toBe(true);
}

export function openViewer(client: Client, id: string, options: Partial<TerminalViewOptions> = {}): Viewer {
  const viewer = new Viewer(client, id, options);
  onTestFinished(() => viewer.close());
  return viewer;
}
