// What the daemon's main thread and the thread of the emulators say to each other.
import type { TerminalSize } from "../../protocol/terminal-size.ts";
import type { Failure } from "../../protocol/thread-failure.ts";
import type { ViewMessage, ViewScreen } from "../../protocol/view-frames.ts";
import type { Rendered } from "../emulator/emulator.ts";
import type { Missing } from "./checkpoint-file.ts";

export interface Followed {
  readonly id: string;
  readonly directory: string;
  /** It was started just now: nobody can have answered anything it asked. */
  readonly isNew: boolean;
}

export type ToThread =
  /** Draw what this process writes, from now on until it ends; nothing if that is done already. */
  | ({ readonly kind: "follow" } & Followed)
  /** The process is removed. */
  | { readonly kind: "forget"; readonly id: string }
  | ({ readonly kind: "look"; readonly call: number } & Followed)
  | ({ readonly kind: "view"; readonly view: number; readonly credit: number } & Followed)
  | { readonly kind: "credit"; readonly view: number; readonly bytes: number }
  | { readonly kind: "unview"; readonly view: number }
  /** Keep what would take long to draw again, and end. */
  | { readonly kind: "close"; readonly call: number }
  | {
      readonly kind: "recovered";
      readonly call: number;
      readonly outcome: { readonly result: "kept" | "ended" } | { readonly failure: Failure };
    };

export interface Look extends Rendered, TerminalSize {
  readonly title: string;
  readonly offset: number;
  readonly missing: Missing | undefined;
}

export type ViewEvent =
  | { readonly kind: "screen"; readonly screen: ViewScreen; readonly state: Uint8Array }
  | { readonly kind: "output"; readonly offset: number; readonly bytes: Uint8Array }
  | Extract<ViewMessage, { readonly kind: "resized" | "title" | "end" }>
  /** The output cannot be read; the view goes on when it can. */
  | { readonly kind: "failed"; readonly failure: Failure };

export type FromThread =
  | { readonly kind: "view-event"; readonly view: number; readonly event: ViewEvent }
  | { readonly kind: "looked"; readonly call: number; readonly look: Look }
  | { readonly kind: "not-looked"; readonly call: number; readonly failure: Failure }
  | { readonly kind: "closed"; readonly call: number }
  /** Asks for a keeper of the run, which only the main thread can get. */
  | { readonly kind: "recover"; readonly id: string; readonly call: number }
  | { readonly kind: "problem"; readonly id: string; readonly failure: Failure };
