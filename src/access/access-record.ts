// What is put on record of whoever comes by the network, in the one audit log. Strangers must not be able to fill it: what is refused
// is written so often and then counted, and keys typed one by one are one act.
import type { AuditRecord, Store } from "../store/index.ts";

export interface AccessRecordOptions {
  readonly store: Pick<Store, "addAudit">;
  readonly report: (message: string, cause?: unknown) => void;
  /** Milliseconds on a clock that does not jump. */
  readonly now?: () => number;
}

export interface Entry {
  readonly what: AuditRecord["what"];
  readonly decision: "allow" | "deny";
  /** Who, in words. */
  readonly by: string;
  /** What it was about, in words. */
  readonly about: string | null;
  readonly session?: string | undefined;
  readonly requestId: string;
}

/** Put in words only when it is written: a person types many keys. */
export type Act = Omit<Entry, "about"> & { readonly about: () => string };

const windowMs = 60_000;
const mostRefusals = 30;
const repeatMs = 60_000;
const mostRemembered = 1_000;

export class AccessRecord {
  readonly #options: AccessRecordOptions;
  readonly #now: () => number;
  readonly #acts = new Map<string, number>();
  #window = { untilMs: 0, written: 0, hidden: 0 };
  #timer: NodeJS.Timeout | undefined;

  constructor(options: AccessRecordOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Resolves when it is written, or cannot be: that is told, and stops nobody. */
  async add({ what, decision, by, about, session, requestId }: Entry): Promise<void> {
    const nowhere = { task: null, profile: null, cwd: null, rules: [], approval: null };
    const entry = { at: Date.now(), what, decision, by, command: about, session: session ?? null, requestId };
    try {
      await this.#options.store.addAudit({ ...nowhere, ...entry });
    } catch (error) {
      this.#options.report("The audit log cannot be written.", error);
    }
  }

  /** One that comes in many parts has a name for all of them: what was recorded by it within a minute is not described again. */
  async addAct({ about, ...entry }: Act, inParts: string | undefined): Promise<void> {
    if (inParts !== undefined && this.#wasJustAdded(`${entry.by}\0${inParts}`)) return;
    await this.add({ ...entry, about: about() });
  }

  addRefusal(entry: Entry): void {
    const now = this.#now();
    if (now >= this.#window.untilMs) this.#beginWindow(now);
    if (this.#window.written < mostRefusals) {
      this.#window.written += 1;
      void this.add(entry);
      return;
    }
    this.#window.hidden += 1;
    this.#timer ??= setTimeout(() => this.#tellHidden(), this.#window.untilMs - now).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #beginWindow(now: number): void {
    if (this.#window.hidden > 0) this.#tellHidden();
    this.#window = { untilMs: now + windowMs, written: 0, hidden: 0 };
  }

  #tellHidden(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { hidden } = this.#window;
    this.#window.hidden = 0;
    const about = `${hidden} more requests were refused within a minute`;
    void this.add({ what: "refused", decision: "deny", by: "several", about, requestId: "" });
  }

  #wasJustAdded(act: string): boolean {
    const now = this.#now();
    const before = this.#acts.get(act);
    if (before !== undefined && now - before < repeatMs) return true;
    const [oldest] = this.#acts.keys();
    if (this.#acts.size >= mostRemembered && oldest !== undefined) this.#acts.delete(oldest);
    this.#acts.delete(act); // to the end of the order
    this.#acts.set(act, now);
    return false;
  }
}
