// What was on a screen when somebody looked: the next look of the same tells which lines look different.
import { createHash } from "node:crypto";
import { changedLines } from "../util/changed-lines.ts";
import type { Look } from "./thread/messages.ts";

/** As it is told: which lines were wrapped is needed only to clean them. */
export type ToldScreen = Omit<Look, "wrapped">;

export interface SeenScreen extends ToldScreen {
  readonly version: string;
  /** Undefined: it is not known what was seen before. */
  readonly changedLines: number[] | undefined;
}

const mostRemembered = 256;

export class Looks {
  /** By process and version, the oldest first. */
  readonly #seen = new Map<string, readonly string[]>();

  see(id: string, look: ToldScreen, since: string | undefined): SeenScreen {
    const version = createHash("sha256").update(look.lines.join("\n")).digest("hex").slice(0, 16);
    const before = since === undefined ? undefined : this.#seen.get(`${id} ${since}`);
    const key = `${id} ${version}`;
    this.#seen.delete(key);
    this.#seen.set(key, look.lines);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > mostRemembered && oldest !== undefined) this.#seen.delete(oldest);
    return { ...look, version, changedLines: before && changedLines(before, look.lines) };
  }

  forget(id: string): void {
    for (const key of this.#seen.keys()) if (key.startsWith(`${id} `)) this.#seen.delete(key);
  }
}
