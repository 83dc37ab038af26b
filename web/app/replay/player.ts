// Plays a recording into an emulator: at any speed, from any time. Going back begins at the last kept screen before.
import { SerializeAddon } from "@xterm/addon-serialize";
import type { Terminal } from "@xterm/xterm";
import { indexAfter, toMicroseconds, type Cast, type CastEvent } from "~/replay/cast.ts";
import { createStore, type Store } from "~/util/store.ts";

export interface PlayerState {
  /** Seconds. */
  readonly at: number;
  readonly isPlaying: boolean;
  readonly speed: number;
}

interface KeptScreen {
  /** Index of the next event. */
  readonly index: number;
  readonly columns: number;
  readonly rows: number;
  readonly text: string;
}

export const speeds = [0.5, 1, 2, 4, 8, 16] as const;
// A screen is kept after so much output: going anywhere then takes the parsing of no more than that.
const keepEveryCharacters = 1_000_000;
// Nobody wants to watch nothing: a pause is shown no longer than this.
export const longestPauseSeconds = 2;

export class Player {
  readonly state: Store<PlayerState> = createStore<PlayerState>({ at: 0, isPlaying: false, speed: 1 });
  readonly #terminal: Terminal;
  readonly #cast: Cast;
  readonly #serialize = new SerializeAddon();
  readonly #kept: KeptScreen[] = [];
  #charactersSinceKept = 0;
  #index = 0;
  #frame: number | undefined;
  #lastFrameMs = 0;

  constructor(terminal: Terminal, cast: Cast) {
    this.#terminal = terminal;
    this.#cast = cast;
    terminal.loadAddon(this.#serialize);
    this.#reset();
  }

  play(): void {
    if (this.state.get().at >= this.#cast.duration) this.seek(0);
    this.#change({ isPlaying: true });
    this.#lastFrameMs = performance.now();
    this.#frame ??= requestAnimationFrame(this.#tick);
  }

  pause(): void {
    this.#change({ isPlaying: false });
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }

  setSpeed(speed: number): void {
    this.#change({ speed });
  }

  seek(at: number): void {
    const wanted = Math.min(this.#cast.duration, Math.max(0, toMicroseconds(at)));
    const target = indexAfter(this.#cast.events, wanted);
    if (target < this.#index) this.#goBack(target);
    this.#playTo(target);
    this.#change({ at: wanted });
  }

  close(): void {
    this.pause();
    this.#terminal.dispose();
  }

  readonly #tick = (nowMs: number): void => {
    const { at, speed, isPlaying } = this.state.get();
    if (!isPlaying) return;
    const passed = (Math.max(0, nowMs - this.#lastFrameMs) / 1000) * speed;
    this.#lastFrameMs = nowMs;
    const next = this.#cast.events[this.#index]?.at ?? this.#cast.duration;
    // A long pause is cut to its end.
    const from = Math.max(at, next - longestPauseSeconds * speed);
    const now = Math.min(this.#cast.duration, from + passed);
    this.#playTo(indexAfter(this.#cast.events, now));
    const isOver = now >= this.#cast.duration;
    this.#change({ at: now, isPlaying: !isOver });
    this.#frame = isOver ? undefined : requestAnimationFrame(this.#tick);
  };

  #playTo(target: number): void {
    for (; this.#index < target; this.#index += 1) {
      const event = this.#cast.events[this.#index];
      if (event !== undefined) this.#apply(event, this.#index + 1);
    }
  }

  #apply(event: CastEvent, next: number): void {
    if (event.kind === "resize")
      this.#terminal.write("", () => this.#terminal.resize(event.columns, event.rows));
    if (event.kind !== "output") return;
    this.#charactersSinceKept += event.text.length;
    const isToKeep =
      this.#charactersSinceKept >= keepEveryCharacters && next > (this.#kept.at(-1)?.index ?? 0);
    if (!isToKeep) {
      this.#terminal.write(event.text);
      return;
    }
    this.#charactersSinceKept = 0;
    this.#terminal.write(event.text, () => this.#keep(next));
  }

  /** In the callback of a write: the emulator has parsed exactly the events before `index`. */
  #keep(index: number): void {
    const { cols: columns, rows } = this.#terminal;
    this.#kept.push({ index, columns, rows, text: this.#serialize.serialize() });
  }

  #goBack(target: number): void {
    const kept = this.#kept.findLast(({ index }) => index <= target);
    this.#reset(kept);
    this.#index = kept?.index ?? 0;
    this.#charactersSinceKept = 0;
  }

  /** Behind what is still being parsed: the emulator takes everything in order. */
  #reset(kept?: KeptScreen): void {
    const { columns, rows } = kept ?? this.#cast;
    this.#terminal.write("", () => {
      this.#terminal.reset();
      this.#terminal.resize(columns, rows);
    });
    if (kept !== undefined) this.#terminal.write(kept.text);
  }

  #change(change: Partial<PlayerState>): void {
    this.state.set({ ...this.state.get(), ...change });
  }
}
