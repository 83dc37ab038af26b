// One terminal on the page: an emulator in the browser, fed by a view of the daemon. Lives as long as its tab, also while
// the tab is hidden.
import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import type { Terminal } from "@xterm/xterm";
import type { TerminalSize, TerminalView } from "#client/terminal-view.ts";
import type { ViewScreen, ViewersMessage } from "#protocol/view-frames.ts";
import { client, errorText } from "~/api/client.ts";
import { shownTheme } from "~/hooks/use-theme.ts";
import { LineOffsets, type LineOffset } from "~/terminal/line-offsets.ts";
import { newEmulator } from "~/terminal/new-emulator.ts";
import { pastedText } from "~/terminal/pasted-text.ts";
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
  /** One has scrolled up to the oldest line that is loaded, and there are older ones. */
  readonly isAtOldest: boolean;
}

const initial: TerminalState = {
  phase: "connecting",
  title: "",
  size: undefined,
  viewers: [],
  you: undefined,
  keyboard: null,
  remark: undefined,
  isAtOldest: false,
};

export interface TerminalSessionOptions {
  readonly id: string;
  readonly viewer: string;
  /** Take the keyboard if nobody has it. */
  readonly keyboard: boolean;
  /** Somebody closed the view: its place on the page goes. */
  readonly onClosed: () => void;
}

// Until it is shown: the terminal keeps the size it has.
const noSize: TerminalSize = { columns: 0, rows: 0 };

export class TerminalSession {
  readonly id: string;
  readonly state: Store<TerminalState> = createStore(initial);
  readonly terminal: Terminal = newEmulator();
  readonly search = new SearchAddon();
  readonly #offsets = new LineOffsets(this.terminal);
  readonly #fit = new FitAddon();
  readonly #view: TerminalView;
  readonly #cleanups: (() => void)[] = [];
  #isShown = false;
  /** Drawn while nobody could see it. */
  #unseenBytes = 0;

  constructor(options: TerminalSessionOptions) {
    this.id = options.id;
    this.terminal.loadAddon(this.#fit);
    this.terminal.loadAddon(this.search);
    this.#follow();
    this.#view = this.#connect(options);
    this.terminal.onScroll(() => this.#lookUp());
    this.terminal.onData((data) => this.#type(data));
    this.terminal.onBinary((data) => this.#type(Uint8Array.from(data, (letter) => letter.charCodeAt(0))));
  }

  get hasKeyboard(): boolean {
    const { keyboard, you } = this.state.get();
    return keyboard !== null && keyboard === you;
  }

  get oldestLine(): LineOffset {
    return this.#offsets.oldest;
  }

  /** Shows it in an element. What came while it was hidden and was too much to be sent comes as one screen. */
  show(element: HTMLElement): void {
    this.#isShown = true;
    this.#view.parsed(this.#unseenBytes);
    this.#unseenBytes = 0;
    if (this.terminal.element === undefined) {
      this.terminal.open(element);
      this.#cleanPastes();
    } else element.append(this.terminal.element);
    this.fit();
  }

  /** Its tab is not the one shown: it draws what it is sent, and asks for no more. A flood in there takes nothing from what one looks at. */
  hide(): void {
    this.#isShown = false;
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
      ...noSize,
      handlers: {
        onScreen: (screen, state) => this.#paint(screen, state),
        onOutput: (bytes, offset) =>
          this.terminal.write(bytes, () => {
            this.#parsed(bytes.length);
            this.#offsets.note(offset + bytes.length);
          }),
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

  #parsed(bytes: number): void {
    if (this.#isShown) this.#view.parsed(bytes);
    else this.#unseenBytes += bytes;
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
      this.#parsed(state.length);
      this.#offsets.restart(screen.history);
      const remark =
        screen.missing === undefined
          ? undefined
          : `Output from ${screen.missing.from} to ${screen.missing.to} was not kept; the program was asked to paint again.`;
      this.#change({
        phase: "live",
        title: screen.title,
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
    this.#change({ you, viewers, keyboard });
  }

  #lookUp(): void {
    const { type, baseY, viewportY } = this.terminal.buffer.active;
    const isAtTop = type === "normal" && baseY > 0 && viewportY === 0;
    const isAtOldest = isAtTop && this.oldestLine.offset > 0;
    if (isAtOldest !== this.state.get().isAtOldest) this.#change({ isAtOldest });
  }

  /** Before the emulator's own listener, which takes the text as it is. */
  #cleanPastes(): void {
    const paste = (event: ClipboardEvent): void => {
      event.preventDefault();
      event.stopPropagation();
      // Bracketed when the program asked for it.
      this.terminal.paste(pastedText(event.clipboardData?.getData("text/plain") ?? ""));
    };
    this.terminal.element?.addEventListener("paste", paste, { capture: true });
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
