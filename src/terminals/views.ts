// Who looks at which terminal now: what each viewer is told of the others, and what it may do.
import { HoldfastError } from "../protocol/errors.ts";
import { newViewerId } from "../protocol/ids.ts";
import { sizeInForce, type TerminalSize, type WantedSize } from "../protocol/terminal-size.ts";
import type { ViewersMessage } from "../protocol/view-frames.ts";
import { Keyboards } from "./keyboards.ts";
import { Sizes } from "./sizes.ts";
import type { ViewEvent } from "./thread/messages.ts";
import type { ThreadView } from "./thread-link.ts";

/** What a viewer is told, besides what it typed. */
export type ViewTold = ViewEvent | ViewersMessage | { readonly kind: "closed" };

export interface ViewOptions {
  readonly name: string;
  readonly size: WantedSize;
  readonly credit: number;
  /** 16 hexadecimal digits of its own; the same viewer is known by them when it comes back. */
  readonly writer: string | undefined;
  /** Take the keyboard if nobody has it. */
  readonly wantsKeyboard: boolean;
  readonly onTold: (told: ViewTold) => void;
}

export interface View {
  addCredit(bytes: number): void;
  /** Of the viewer's window; the terminal's too, while the viewer has the keyboard. */
  setSize(size: WantedSize): void;
  takeKeyboard(): void;
  releaseKeyboard(): void;
  /** @throws HoldfastError KEYBOARD_NOT_HELD */
  requireKeyboard(): void;
  close(): void;
}

export interface ListedView extends TerminalSize {
  readonly id: string;
  readonly process: string;
  readonly name: string;
  readonly since: string;
  readonly keyboard: boolean;
}

export interface ViewsOptions {
  readonly open: (processId: string, credit: number, onEvent: (event: ViewEvent) => void) => ThreadView;
  readonly resize: (processId: string, size: TerminalSize) => Promise<void>;
}

interface OpenView {
  readonly id: string;
  readonly process: string;
  readonly name: string;
  readonly since: string;
  readonly options: ViewOptions;
  readonly thread: ThreadView;
  size: TerminalSize;
  /** One that is not shown yet has no size to give. */
  hasToldSize: boolean;
}

const longestName = 64;

export class Views {
  readonly #options: ViewsOptions;
  readonly #views = new Set<OpenView>();
  readonly #keyboards = new Keyboards((processId) => this.#tellViewers(processId));
  readonly #sizes: Sizes;

  constructor(options: ViewsOptions) {
    this.#options = options;
    this.#sizes = new Sizes(options.resize);
  }

  /** Of one process, or of all. */
  list(processId?: string): ListedView[] {
    const found = [...this.#views].filter(({ process }) => processId === undefined || process === processId);
    return found.map(({ id, process, name, since, size }) => ({
      id,
      process,
      name,
      since,
      ...size,
      keyboard: this.#keyboards.has(process, id),
    }));
  }

  open(processId: string, options: ViewOptions): View {
    const { writer } = options;
    const before = this.#ofWriter(processId, writer);
    const view: OpenView = {
      id: before?.id ?? newViewerId(),
      process: processId,
      name: options.name.slice(0, longestName),
      since: before?.since ?? new Date().toISOString(),
      size: sizeInForce(options.size),
      hasToldSize: isTold(options.size),
      options,
      thread: this.#options.open(processId, options.credit, options.onTold),
    };
    // The same viewer, back before its last connection was found to be dead.
    if (before !== undefined) this.#remove(before);
    this.#views.add(view);
    const typist = { viewer: view.id, writer };
    const had = this.#keyboards.holder(processId);
    const isBack = before !== undefined && had === view.id;
    if (isBack || options.wantsKeyboard) this.#keyboards.takeIfFree(processId, typist);
    this.#giveSize(view);
    this.#tellViewers(processId);
    return this.#handle(view);
  }

  /** Every view of a process; the process goes on. Tells how many there were. */
  closeAll(processId: string): number {
    const found = [...this.#views].filter(({ process }) => process === processId);
    for (const view of found) {
      this.#remove(view);
      this.#keyboards.release(processId, view.id);
      view.options.onTold({ kind: "closed" });
    }
    return found.length;
  }

  close(): void {
    for (const view of this.#views) this.#remove(view);
    this.#keyboards.close();
  }

  #handle(view: OpenView): View {
    const { process } = view;
    return {
      addCredit: (bytes) => view.thread.addCredit(bytes),
      setSize: (size) => {
        view.size = sizeInForce(size, view.size);
        view.hasToldSize ||= isTold(size);
        this.#giveSize(view);
        this.#tellViewers(process);
      },
      takeKeyboard: () => {
        this.#keyboards.take(process, { viewer: view.id, writer: view.options.writer });
        this.#giveSize(view);
        this.#tellViewers(process);
      },
      releaseKeyboard: () => {
        this.#keyboards.release(process, view.id);
        this.#tellViewers(process);
      },
      requireKeyboard: () => this.#requireKeyboard(view),
      close: () => {
        if (!this.#remove(view)) return;
        this.#keyboards.leave(process, view.id);
        this.#tellViewers(process);
      },
    };
  }

  #giveSize({ id, process, size, hasToldSize }: OpenView): void {
    if (hasToldSize && this.#keyboards.has(process, id)) this.#sizes.want(process, size);
  }

  /** False when it was closed before. */
  #remove(view: OpenView): boolean {
    if (!this.#views.delete(view)) return false;
    view.thread.close();
    return true;
  }

  #ofWriter(processId: string, writer: string | undefined): OpenView | undefined {
    if (writer === undefined) return undefined;
    return [...this.#views].find((view) => view.process === processId && view.options.writer === writer);
  }

  #requireKeyboard(view: OpenView): void {
    const holder = this.#keyboards.holder(view.process);
    if (holder === view.id) return;
    const [by] = this.list(view.process).filter(({ id }) => id === holder);
    const who = by === undefined ? "Nobody has the keyboard" : `${by.name || by.id} has the keyboard`;
    throw new HoldfastError("KEYBOARD_NOT_HELD", `${who} of ${view.process}; this viewer only looks.`, {
      details: { holder: holder ?? null },
    });
  }

  #tellViewers(processId: string): void {
    const listed = this.list(processId);
    const viewers = listed.map(({ id, name, since, columns, rows }) => ({ id, name, since, columns, rows }));
    const keyboard = listed.find((view) => view.keyboard)?.id ?? null;
    for (const { id, process, options } of this.#views)
      if (process === processId) options.onTold({ kind: "viewers", you: id, viewers, keyboard });
  }
}

function isTold({ columns = 0, rows = 0 }: WantedSize): boolean {
  return columns !== 0 || rows !== 0;
}
