// Staying with a process: its output here, our input and signals there, until it ends or we leave. It does not depend
// on us: whatever ends this program, the process and its output go on.
import type { Attachment, Client } from "../../client/index.ts";
import { isHoldfastError } from "../../protocol/errors.ts";
import type { ProcessView } from "../../protocol/process.ts";
import { onBrokenPipe } from "../broken-pipe.ts";
import { forwardKeys, forwardStream, type InputTarget } from "./forward-input.ts";
import { QueryFilter } from "./query-filter.ts";
import { ScreenModes } from "./screen-modes.ts";
import type { ForwardedSignal, Signals } from "./signals.ts";
import { waitForEnd } from "./wait-for-end.ts";
import { writeOut } from "./write-out.ts";

export interface ForegroundOptions {
  readonly process: ProcessView;
  readonly from: number;
  /** keys: a terminal in raw mode, with the keys that leave. stream: bytes until their end. */
  readonly input: "keys" | "stream" | "none";
  readonly signals: Signals;
  /** A signal is passed on to the process, or makes us leave. */
  readonly onSignal: "forward" | "detach";
  /** False: only wait. */
  readonly showOutput: boolean;
  readonly note: (text: string) => void;
  /** What the screen is already set to. */
  readonly modes?: ScreenModes;
}

export type Stay =
  | { readonly kind: "ended"; readonly process: ProcessView }
  | { readonly kind: "detached"; readonly signal?: ForwardedSignal };

export async function stayWith(client: Client, options: ForegroundOptions): Promise<Stay> {
  const foreground = new Foreground(client, options);
  return await foreground.run();
}

class Foreground {
  readonly #client: Client;
  readonly #options: ForegroundOptions;
  readonly #modes: ScreenModes;
  readonly #left = Promise.withResolvers<Stay>();
  readonly #leaving = new AbortController();
  readonly #queries = new QueryFilter();
  #offset: number;
  #endOffset = Infinity;

  constructor(client: Client, options: ForegroundOptions) {
    this.#client = client;
    this.#options = options;
    this.#offset = options.from;
    this.#modes = options.modes ?? new ScreenModes();
  }

  async run(): Promise<Stay> {
    const { process: kept, from, input } = this.#options;
    const attachment = await this.#client.attach(kept.id, { from });
    // Loaded only for a terminal: it spawns, and what spawns costs a command line a millisecond to load.
    const raw = input === "keys" ? new (await import("./raw-input.ts")).RawInput() : undefined;
    const stopFollowing = this.#followSize(attachment);
    try {
      this.#options.signals.handTo((name) => this.#signal(name));
      onBrokenPipe(() => this.#send("SIGPIPE"));
      this.#forwardInput(attachment);
      return await Promise.race([this.#left.promise, this.#untilEnd(attachment)]);
    } finally {
      this.#leaving.abort();
      stopFollowing();
      await attachment.close();
      if (process.stdout.isTTY) await writeOut(this.#modes.leave());
      raw?.close();
    }
  }

  /** The process has ended, and all it wrote was shown. A descendant that still writes is not waited for. */
  async #untilEnd(attachment: Attachment): Promise<Stay> {
    const shown = this.#options.showOutput ? this.#show(attachment) : Promise.resolve();
    const ended = await Promise.race([
      waitForEnd(this.#client, this.#options.process.id, this.#leaving.signal),
      // Output that cannot be shown ends the stay at once; shown to its end, it says nothing about the exit.
      shown.then(() => new Promise<never>(() => undefined)),
    ]);
    this.#endOffset = ended.outputBytes;
    if (this.#offset < this.#endOffset) await shown;
    return { kind: "ended", process: ended };
  }

  async #show(attachment: Attachment): Promise<void> {
    for await (const event of attachment.output()) {
      if (event.kind === "data") {
        const isTerminal = this.#options.process.mode === "pty";
        if (isTerminal) this.#modes.watch(event.bytes);
        const isAsked = isTerminal && process.stdout.isTTY;
        await writeOut(isAsked ? this.#queries.push(event.bytes) : event.bytes, event.stream);
        this.#offset = event.offset + event.bytes.length;
      }
      if (event.kind === "missing") {
        this.#options.note(`holdfast: ${event.to - event.from} bytes of output are not kept (${event.why})`);
        this.#offset = event.to;
      }
      if (this.#offset >= this.#endOffset) break;
    }
    await writeOut(this.#queries.end());
  }

  #forwardInput(attachment: Attachment): void {
    const { input, process: kept, note } = this.#options;
    if (input === "none") return;
    const target: InputTarget = {
      attachment,
      closeStdin: async () => void (await this.#client.process.closeStdin({ id: kept.id })),
      detach: () => this.#left.resolve({ kind: "detached" }),
      complain: (error) => note(`holdfast: ${error instanceof Error ? error.message : String(error)}`),
    };
    if (input === "keys") forwardKeys(target);
    else void forwardStream(target);
  }

  #followSize(attachment: Attachment): () => void {
    if (this.#options.process.mode !== "pty" || !process.stdout.isTTY) return () => undefined;
    const tell = (): void => attachment.resize(process.stdout.columns, process.stdout.rows);
    tell();
    process.stdout.on("resize", tell);
    return () => process.stdout.off("resize", tell);
  }

  #signal(name: ForwardedSignal): void {
    if (this.#options.onSignal === "forward") void this.#send(name);
    else this.#left.resolve({ kind: "detached", signal: name });
  }

  /** As a terminal does it: keys go to the foreground group, everything else to all. */
  async #send(signal: ForwardedSignal | "SIGPIPE"): Promise<void> {
    const { process: kept } = this.#options;
    const isKey = signal === "SIGINT" || signal === "SIGQUIT";
    const target = kept.mode === "pty" && isKey ? "foreground" : "tree";
    try {
      await this.#client.process.signal({ id: kept.id, signal, target });
    } catch (error) {
      // It has ended: that is told in a moment. Anything else must not leave a person in front of a deaf program.
      if (!isHoldfastError(error, "PROCESS_ENDED", "RUN_NOT_FOUND")) this.#left.reject(error);
    }
  }
}
