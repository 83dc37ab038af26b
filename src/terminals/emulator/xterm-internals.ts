// What is used of xterm beyond its public interface, in one place: a state cannot be told exactly, nor bytes be parsed at once, without it.
// The version is pinned; the property tests of the state fail when a newer one differs.
import type { IBufferCell, Terminal } from "@xterm/headless";

/** Colours and flags of a cell, or of the cursor. */
export interface Attributes {
  readonly fg: number;
  readonly bg: number;
  readonly extended: ExtendedAttributes;
}

export interface ExtendedAttributes {
  readonly underlineStyle: number;
  readonly underlineColor: number;
  urlId: number;
  clone(): ExtendedAttributes;
}

export type Cell = IBufferCell & Attributes;

export interface Line {
  readonly length: number;
  readonly isWrapped: boolean;
  readonly _combined: Record<number, string>;
  /** Three numbers for each cell: content, fg, bg. */
  readonly _data: Uint32Array;
  loadCell(column: number, cell: Cell): Cell;
  getWidth(column: number): number;
  getString(column: number): string;
  hasContent(column: number): number;
}

export type Charset = object | undefined;

export interface ScreenBuffer {
  readonly lines: {
    readonly length: number;
    readonly maxLength: number;
    get(index: number): Line | undefined;
  };
  readonly x: number;
  readonly y: number;
  readonly ybase: number;
  readonly scrollTop: number;
  readonly scrollBottom: number;
  readonly tabs: Readonly<Record<number, boolean | undefined>>;
  readonly savedX: number;
  readonly savedY: number;
  readonly savedCurAttrData: Attributes;
  readonly savedCharset: Charset;
}

export interface PrivateModes {
  readonly applicationCursorKeys: boolean;
  readonly applicationKeypad: boolean;
  readonly bracketedPasteMode: boolean;
  readonly cursorBlink: boolean | undefined;
  readonly cursorStyle: "block" | "underline" | "bar" | undefined;
  readonly origin: boolean;
  readonly reverseWraparound: boolean;
  readonly sendFocus: boolean;
  readonly synchronizedOutput: boolean;
  readonly wraparound: boolean;
}

export interface Core {
  readonly buffers: {
    readonly normal: ScreenBuffer;
    readonly alt: ScreenBuffer;
    readonly active: ScreenBuffer;
  };
  readonly coreService: {
    readonly isCursorHidden: boolean;
    readonly modes: { readonly insertMode: boolean };
    readonly decPrivateModes: PrivateModes;
  };
  readonly coreMouseService: { readonly activeProtocol: string; readonly activeEncoding: string };
  readonly optionsService: {
    readonly rawOptions: { readonly convertEol: boolean; readonly cursorBlink: boolean };
  };
  readonly charsetService: {
    readonly charset: Charset;
    readonly glevel: number;
    readonly _charsets: readonly Charset[];
  };
  readonly linkService: {
    getLinkData(id: number): { readonly id?: string; readonly uri: string } | undefined;
  };
  readonly input: InputHandler;
}

interface PrivateCore extends Core {
  readonly _charsetService: Core["charsetService"];
  readonly _oscLinkService: Core["linkService"];
  readonly _inputHandler: InputHandler;
}

export interface InputHandler {
  /** All of it, at once: nothing here is done later. */
  parse(bytes: Uint8Array): void;
  readonly onColor: (listener: (changes: readonly ColorChange[]) => void) => unknown;
  readonly _curAttrData: Attributes;
  readonly _windowTitle: string;
  readonly _iconName: string;
  readonly _parser: {
    readonly currentState: number;
    /** Of the character printed last, if nothing came after it: what follows may join it. */
    readonly precedingJoinState: number;
    reset(): void;
  };
  readonly _utf8Decoder: { readonly interim: Uint8Array };
  readonly _eraseInBufferLine: (
    this: InputHandler,
    row: number,
    from: number,
    to: number,
    clearWrap: boolean,
    respectProtect: boolean,
  ) => void;
  readonly _resetBufferLine: (this: InputHandler, row: number, respectProtect: boolean) => void;
}

/** type 0: asks for it, 1: sets it, 2: back to what it was; without an index, all of them. */
export interface ColorChange {
  readonly type: number;
  readonly index?: number;
  readonly color?: readonly [number, number, number];
}

export function coreOf(terminal: Terminal): Core {
  const { _core: core } = terminal as unknown as { readonly _core: PrivateCore }; // private, and the reason for this file
  const { buffers, coreService, coreMouseService, optionsService } = core;
  const { _charsetService: charsetService, _oscLinkService: linkService, _inputHandler: input } = core;
  return { buffers, coreService, coreMouseService, optionsService, charsetService, linkService, input };
}
