// One terminal on the page: an emulator in the browser, fed by a view of the daemon. Lives as long as its tab, also while
// the tab is hidden.
import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { Terminal } from "@xterm/xterm";
import type { TerminalSize, TerminalView } from "#client/terminal-view.ts";
import type { ViewScreen, ViewersMessage } from "#protocol/view-frames.ts";
import { client, errorText } from "~/api/client.ts";
import { shownTheme } from "~/hooks/use-theme.ts";
import { askLink } from "~/terminal/terminal-links.ts";
import { terminalSettings } from "~/terminal/terminal-settings.ts";
import { terminalThemes } from "~/terminal/terminal-theme.ts";
import { createStore, type Store } from "~/util/store.ts";

export interface TerminalState {
  readonly phase: "connecting" | "live" | "ended" | "closed";
  readonly title: string;
  readonly size: TerminalSize | undefined;
  readonly viewers: ViewersMessage["viewers"];
  /** This viewer's id. */
  readonly you: string | undefined;
  /** The viewer that types. */
  readonly keyboard: string | null;
  /** Said above the terminal: output that is missing, a refusal. */
  readonly remark: string | undefined;
  /** Where in the output the emulator's history begins; older lines are on the disk of the daemon. */
  readonly historyOffset: number;
}

const initial: TerminalState = {
  phase: "connecting",
  title: "",
  size: undefined,
  viewers: [],
  you: undefined,
  keyboard: null,
  remark: undefined,
  historyOffset: 0,
};

export interface TerminalSessionOptions {
  readonly id: string;
  readonly viewer: string;
  /** Take the keyboard if nobody has it. */
  readonly keyboard: boolean;
  /** Somebody closed the view: its place on the page goes. */
  readonly onClosed: () => void;
}

const fallbackSize: TerminalSize = { columns: 80, rows: 24 };
// As many as the daemon's emulator keeps, so that both show the same.
const scrollbackLines = 1_000;

export class TerminalSession {
  readonly id: string;
  readonly state: Store<TerminalState> = createStore(initial);
  readonly terminal: Terminal;
  readonly search = new SearchAddon();
  readonly #fit = new FitAddon();
  readonly #view: TerminalView;
  readonly #cleanups: (() => void)[] = [];

  constructor(options: TerminalSessionOptions) {
    this.id = options.id;
    this.terminal = new Terminal({
      allowProposedApi: true,
      scrollback: scrollbackLines,
      disableStdin: true,
      cursorBlink: false,
      fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
      linkHandler: { activate: (_event, text) => askLink(text), allowNonHttpProtocols: false },
    });
    this.terminal.loadAddon(this.#fit);
    this.terminal.loadAddon(this.search);
    this.terminal.loadAddon(new UnicodeGraphemesAddon());
    this.terminal.loadAddon(new WebLinksAddon((_event, text) => askLink(text)));
    this.#follow();
    this.#view = this.#connect(options);
    this.terminal.onData((data) => this.#type(data));
    this.terminal.onBinary((data) => this.#type(Uint8Array.from(data, (letter) => letter.charCodeAt(0))));
  }

  get hasKeyboard(): boolean {
    const { keyboard, you } = this.state.get();
    return keyboard !== null && keyboard === you;
  }

  /** Shows it in an element; once. */
  show(element: HTMLElement): void {
    if (this.terminal.element === undefined) this.terminal.open(element);
    else element.append(this.terminal.element);
    this.fit();
  }

  /** Tells the daemon how much room there is here. */
  fit(): void {
    const wanted = this.#fit.proposeDimensions();
    if (wanted === undefined || Number.isNaN(wanted.cols)) return;
    this.#view.resize({ columns: wanted.cols, rows: wanted.rows });
  }

  takeKeyboard(): void {
    this.fit();
    this.#view.takeKeyboard();
    this.terminal.focus();
  }

  releaseKeyboard(): void {
    this.#view.releaseKeyboard();
  }

  /** As if typed; a paste is bracketed when the program asked for it. */
  paste(text: string): void {
    this.terminal.paste(text);
  }

  send(text: string): void {
    this.#type(text);
  }

  clearRemark(): void {
    this.#change({ remark: undefined });
  }

  /** The process goes on. */
  close(): void {
    for (const cleanup of this.#cleanups) cleanup();
    void this.#view.close();
    this.terminal.dispose();
  }

  #follow(): void {
    const dress = (): void => {
      const { fontSize, screenReader } = terminalSettings.get();
      this.terminal.options.theme = terminalThemes[shownTheme.get()];
      this.terminal.options.fontSize = fontSize;
      this.terminal.options.screenReaderMode = screenReader;
    };
    dress();
    this.#cleanups.push(
      shownTheme.subscribe(dress),
      terminalSettings.subscribe(() => {
        dress();
        this.fit();
      }),
    );
  }

  #connect({ id, viewer, keyboard, onClosed }: TerminalSessionOptions): TerminalView {
    return client.view({
      id,
      name: viewer,
      keyboard,
      ...fallbackSize,
      handlers: {
        onScreen: (screen, state) => this.#paint(screen, state),
        onOutput: (bytes) => this.terminal.write(bytes, () => this.#view.parsed(bytes.length)),
        onResized: (size) => this.#inOrder(() => this.#resize(size)),
        onTitle: (title) => this.#change({ title }),
        onViewers: (message) => this.#hearViewers(message),
        onEnd: () => this.#inOrder(() => this.#change({ phase: "ended" })),
        onClosed: (error) => {
          this.#change({
            phase: "closed",
            remark: error === undefined ? undefined : errorText(error).message,
          });
          if (error === undefined) onClosed();
        },
      },
    });
  }

  /** Output that came before is parsed first: the emulator takes its turn with everything. */
  #inOrder(work: () => void): void {
    this.terminal.write("", work);
  }

  #paint(screen: ViewScreen, state: Uint8Array): void {
    this.#inOrder(() => {
      this.terminal.reset();
      this.#resize(screen);
    });
    this.terminal.write(state, () => {
      this.#view.parsed(state.length);
      const remark =
        screen.missing === undefined
          ? undefined
          : `Output from ${screen.missing.from} to ${screen.missing.to} was not kept; the program was asked to paint again.`;
      this.#change({
        phase: "live",
        title: screen.title,
        historyOffset: screen.history.offset,
        ...(remark === undefined ? {} : { remark }),
      });
    });
  }

  #resize({ columns, rows }: TerminalSize): void {
    this.terminal.resize(columns, rows);
    this.#change({ size: { columns, rows } });
  }

  #hearViewers({ you, viewers, keyboard }: ViewersMessage): void {
    this.terminal.options.disableStdin = keyboard !== you;
    this.terminal.options.cursorBlink = keyboard === you;
    this.#change({ you, viewers, keyboard });
  }

  #type(data: string | Uint8Array): void {
    if (!this.hasKeyboard) return;
    this.#view.write(data).catch((error: unknown) => {
      const { message } = errorText(error);
      this.#change({ remark: `Not typed: ${message}` });
    });
  }

  #change(change: Partial<TerminalState>): void {
    this.state.set({ ...this.state.get(), ...change });
  }
}
