// A viewer of a terminal as the dashboard is one: it draws what it is sent with an emulator of its own.
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import xterm from "@xterm/headless";
import { onTestFinished } from "vitest";
import type { Client } from "../../src/client/index.ts";
import type { TerminalViewOptions } from "../../src/client/terminal-view.ts";
import type { ViewersMessage, ViewScreen } from "../../src/protocol/view-frames.ts";
import { serialise } from "../../src/terminals/state/serialise.ts";

export interface Viewer {
  readonly view: ReturnType<Client["view"]>;
  /** Every screen that came, without its state. */
  readonly screens: readonly ViewScreen[];
  readonly titles: readonly string[];
  readonly viewers: ViewersMessage | undefined;
  readonly size: { readonly columns: number; readonly rows: number };
  readonly hasEnded: boolean;
  readonly isClosed: boolean;
  /** What it was sent since the last screen, and how much in all. */
  readonly output: string;
  readonly outputBytes: number;
  /** The lines of the screen, without blank ends. */
  readonly lines: readonly string[];
  /** Its whole state: the same for two that look the same. */
  readonly state: string;
  /** Resolves when this is true; fails, with what was seen, when it does not become so. */
  until(condition: (viewer: Viewer) => boolean, what: string): Promise<void>;
  type(text: string): Promise<void>;
}

const deadlineMs = 30_000;

export function openViewer(
  client: Client,
  id: string,
  options: Partial<TerminalViewOptions> & { readonly slowMs?: number } = {},
): Viewer {
  const terminal = new xterm.Terminal({ scrollback: 1_000, allowProposedApi: true, logLevel: "off" });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  const screens: ViewScreen[] = [];
  const titles: string[] = [];
  const seen = { hasEnded: false, isClosed: false, output: "", outputBytes: 0 };
  let viewers: ViewersMessage | undefined;
  let wake = Promise.withResolvers<void>();
  const changed = (): void => {
    wake.resolve();
    wake = Promise.withResolvers<void>();
  };
  const draw = (bytes: Uint8Array): void => {
    terminal.write(bytes, () => {
      const taken = (): void => view.parsed(bytes.length);
      if (options.slowMs === undefined) taken();
      else setTimeout(taken, options.slowMs);
      changed();
    });
  };
  const view: Viewer["view"] = client.view({
    id,
    name: "test",
    columns: 80,
    rows: 24,
    ...options,
    handlers: {
      onScreen: (screen, state) => {
        screens.push(screen);
        seen.output = "";
        terminal.write("", () => {
          terminal.reset();
          terminal.resize(screen.columns, screen.rows);
        });
        draw(state);
      },
      onOutput: (bytes) => {
        seen.output += Buffer.from(bytes).toString();
        seen.outputBytes += bytes.length;
        draw(bytes);
      },
      onResized: (size) => terminal.write("", () => terminal.resize(size.columns, size.rows)),
      onTitle: (title) => titles.push(title),
      onViewers: (message) => {
        viewers = message;
        changed();
      },
      onEnd: () => {
        seen.hasEnded = true;
        changed();
      },
      onClosed: () => {
        seen.isClosed = true;
        changed();
      },
    },
  });
  onTestFinished(async () => {
    await view.close();
    terminal.dispose();
  });
  const viewer: Viewer = {
    view,
    screens,
    titles,
    get viewers() {
      return viewers;
    },
    get size() {
      return { columns: terminal.cols, rows: terminal.rows };
    },
    get hasEnded() {
      return seen.hasEnded;
    },
    get isClosed() {
      return seen.isClosed;
    },
    get output() {
      return seen.output;
    },
    get outputBytes() {
      return seen.outputBytes;
    },
    get lines() {
      return linesOf(terminal);
    },
    get state() {
      return serialise(terminal, "");
    },
    until: async (condition, what) => {
      const deadline = AbortSignal.timeout(deadlineMs);
      const late = new Promise<void>((resolve) => deadline.addEventListener("abort", () => resolve()));
      while (!condition(viewer)) {
        if (deadline.aborted)
          throw new Error(`not so within ${deadlineMs} ms: ${what}\n${viewer.lines.join("\n")}`);
        await Promise.race([wake.promise, late]);
      }
    },
    type: (text) => view.write(text),
  };
  return viewer;
}

function linesOf(terminal: xterm.Terminal): string[] {
  const { active } = terminal.buffer;
  const lines = Array.from({ length: terminal.rows }, (_, row) =>
    (active.getLine(active.baseY + row)?.translateToString(true) ?? "").trimEnd(),
  );
  while (lines.at(-1) === "") lines.pop();
  return lines;
}
