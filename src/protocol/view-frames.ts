// The messages of GET /v1/terminal/view: one terminal as a viewer sees it. Both ends use this file, so it has no zod and
// nothing of Node.
//
// The address: /v1/terminal/view?id=…&credit=N&columns=N&rows=N&name=…&writer=…&keyboard=1
//   credit    bytes of screens and output the viewer takes; it gives more once it has parsed them
//   columns, rows   of the viewer's own window; the terminal gets this size when the viewer has the keyboard. Missing or 0: not known
//             yet, and the terminal keeps its size
//   writer    16 hexadecimal digits, random, the viewer's own secret: counts what it types, and the same one gets its
//             place and its keyboard back when it reconnects within some seconds
//   keyboard  1: take the keyboard if nobody has it
//
// The daemon answers with `viewers` and `screen`, then output as it comes. A screen is told whole (JSON, then one binary
// frame): the viewer resets its emulator, gives it that size, and writes the state. Output that follows goes on at exactly the screen's
// offset. A new screen may come at any time and replaces everything before it: a viewer that cannot follow is sent screens only, the next one
// when it has given back the credit of the last.
// Output frames (kind 1) and input frames (kind 2) are those of live-frames.ts; a frame never ends inside an escape
// sequence or a character. What the daemon's emulator answers (terminal-queries.ts), clipboard writes and endless
// sequences are not in them: each is one NUL byte. A bell is there, but seldom more than ten in a second.
import type { ErrorBody } from "./control.ts";

/** A viewer that has drawn all it was sent gives its credit back unless it is less than this: a key typed needs no answer. */
export const untoldBytes = 4_096;

export type ScreenReason =
  /** The first one of a connection. */
  | "opened"
  /** The viewer, or the daemon, was too far behind: what lies between was drawn, and not sent. */
  | "resynced"
  /** Output was lost before it could be drawn: `missing` tells which. The program was asked to paint itself again. */
  | "trimmed"
  /** The daemon's emulator was made anew. */
  | "rebuilt";

export interface ViewScreen {
  readonly kind: "screen";
  readonly offset: number;
  readonly columns: number;
  readonly rows: number;
  readonly why: ScreenReason;
  readonly title: string;
  readonly missing?: { readonly from: number; readonly to: number };
  /** Line `line` of the state's buffer (0: its oldest) begins near this offset: older lines are read with
   * process.output {before: offset, tailLines, format: "text"}. */
  readonly history: { readonly offset: number; readonly line: number };
}

export interface ViewersMessage {
  readonly kind: "viewers";
  /** The id of this viewer. */
  readonly you: string;
  readonly viewers: readonly {
    readonly id: string;
    readonly name: string;
    readonly since: string;
    readonly columns: number;
    readonly rows: number;
  }[];
  /** Who types. Null: nobody. */
  readonly keyboard: string | null;
}

export type ViewMessage =
  | ViewScreen
  | ViewersMessage
  | {
      readonly kind: "resized";
      readonly offset: number;
      readonly columns: number;
      readonly rows: number;
    }
  /** At most 256 characters, none of them a control. */
  | { readonly kind: "title"; readonly title: string }
  /** The process has ended and all its output was sent. The connection stays: the view is still one. */
  | { readonly kind: "end"; readonly offset: number }
  /** By view.close: the last message. Do not come back. */
  | { readonly kind: "closed" }
  /** The last message. */
  | { readonly kind: "error"; readonly error: ErrorBody }
  /** The writer's next sequence: everything before it was typed. */
  | { readonly wrote: number }
  /** Something the viewer asked for was refused; `sequence` when it was input. */
  | { readonly error: ErrorBody; readonly sequence?: number };

/** From a viewer. */
export interface ViewRequest {
  /** More bytes it takes. A screen is sent whole while there is any credit, and counts. */
  readonly credit?: number;
  /** Of its own window. */
  readonly size?: { readonly columns: number; readonly rows: number };
  /** Taking takes it from whoever has it. */
  readonly keyboard?: "take" | "release";
}

export interface ViewState {
  readonly offset: number;
  /** To be written to an emulator that was reset: UTF-8 with escape sequences. */
  readonly bytes: Uint8Array;
}

const stateKind = 3;
// kind u8, offset u64; little-endian.
const stateHeaderBytes = 9;

export function encodeViewState({ offset, bytes }: ViewState): Uint8Array {
  const frame = new Uint8Array(stateHeaderBytes + bytes.length);
  const view = new DataView(frame.buffer);
  view.setUint8(0, stateKind);
  view.setBigUint64(1, BigInt(offset), true);
  frame.set(bytes, stateHeaderBytes);
  return frame;
}

/** The bytes are a view of the frame, not a copy. Undefined for a frame of another kind: a newer peer may send some. */
export function decodeViewState(frame: Uint8Array): ViewState | undefined {
  if (frame.length < stateHeaderBytes || frame[0] !== stateKind) return undefined;
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  return { offset: Number(view.getBigUint64(1, true)), bytes: frame.subarray(stateHeaderBytes) };
}
