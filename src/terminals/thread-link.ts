// The main thread's end of the thread of the emulators: started with the first terminal. When it dies, another one draws everything again, from
// checkpoints and output.
import { Worker } from "node:worker_threads";
import { ofFailure, toFailure } from "../protocol/thread-failure.ts";
import type { Followed, FromThread, Look, ToThread, ViewEvent } from "./thread/messages.ts";

export interface ThreadLinkOptions {
  /** Sees to it that the run has a keeper or an end. */
  readonly recover: (id: string) => Promise<"kept" | "ended">;
  readonly onProblem: (message: string, cause: Error, id?: string) => void;
}

export interface ThreadView {
  addCredit(bytes: number): void;
  close(): void;
}

interface OpenView {
  readonly followed: Followed;
  readonly onEvent: (event: ViewEvent) => void;
  /** What it may still be sent. */
  credit: number;
  isRebuilt: boolean;
}

interface Call<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

// Terminals of a thousand columns and many viewers fit; a program that fills more must not take the daemon with it.
const mostMemoryMib = 1_024;
// A thread that dies of what it draws must not keep the daemon busy with starting it.
const restartMs = 1_000;

export class ThreadLink {
  readonly #options: ThreadLinkOptions;
  readonly #followed = new Map<string, Followed>();
  readonly #views = new Map<number, OpenView>();
  readonly #looks = new Map<number, Call<Look>>();
  readonly #closed = Promise.withResolvers<void>();
  #worker: Worker | undefined;
  #numbers = 0;
  #restart: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ThreadLinkOptions) {
    this.#options = options;
  }

  /** From now on until it is forgotten. */
  follow(followed: Followed): void {
    // Should the thread begin again, it is new no more.
    this.#followed.set(followed.id, { ...followed, isNew: false });
    this.#send({ kind: "follow", ...followed });
  }

  /** It has ended: drawn again only when somebody asks. */
  unfollow(id: string): void {
    this.#followed.delete(id);
  }

  /** It is removed. */
  forget(id: string): void {
    this.#followed.delete(id);
    if (this.#worker !== undefined) this.#send({ kind: "forget", id });
  }

  async look(followed: Followed): Promise<Look> {
    const call = ++this.#numbers;
    try {
      return await new Promise<Look>((resolve, reject) => {
        this.#looks.set(call, { resolve, reject });
        this.#send({ kind: "look", call, ...followed });
      });
    } finally {
      this.#looks.delete(call);
    }
  }

  view(followed: Followed, credit: number, onEvent: (event: ViewEvent) => void): ThreadView {
    const view = ++this.#numbers;
    this.#views.set(view, { followed, onEvent, credit, isRebuilt: false });
    this.#send({ kind: "view", view, credit, ...followed });
    return {
      addCredit: (bytes) => {
        const open = this.#views.get(view);
        if (open === undefined) return;
        open.credit += bytes;
        this.#send({ kind: "credit", view, bytes });
      },
      close: () => {
        if (this.#views.delete(view)) this.#send({ kind: "unview", view });
      },
    };
  }

  /** What would take long to draw again is kept first. */
  async close(): Promise<void> {
    clearTimeout(this.#restart);
    this.#views.clear();
    if (this.#worker !== undefined) {
      this.#send({ kind: "close", call: 0 });
      await this.#closed.promise;
    }
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #send(message: ToThread): void {
    if (this.#isClosed || this.#restart !== undefined) return; // everything is told again to the next one
    this.#worker ??= this.#start();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(message);
  }

  #start(): Worker {
    // In a bundle this file is the daemon's, and the thread has one of its own beside it.
    const file = import.meta.url.endsWith(".ts") ? "./thread/worker.ts" : "./terminal-worker.mjs";
    const worker = new Worker(new URL(file, import.meta.url), {
      name: "terminals",
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: mostMemoryMib },
    });
    worker.on("message", (message: FromThread) => this.#receive(message));
    worker.on("error", (error) => this.#lost(worker, error as Error)); // thrown by our own code or by V8
    worker.on("exit", () => this.#lost(worker, new Error("The thread of the terminals has ended.")));
    worker.unref();
    return worker;
  }

  #receive(message: FromThread): void {
    switch (message.kind) {
      case "view-event":
        this.#viewEvent(message.view, message.event);
        break;
      case "looked":
        this.#looks.get(message.call)?.resolve(message.look);
        break;
      case "not-looked":
        this.#looks.get(message.call)?.reject(ofFailure(message.failure));
        break;
      case "recover":
        void this.#recover(message.id, message.call);
        break;
      case "problem":
        this.#options.onProblem(
          "The screen of a terminal cannot be kept.",
          ofFailure(message.failure),
          message.id,
        );
        break;
      case "closed":
        this.#closed.resolve();
        break;
    }
  }

  #viewEvent(view: number, event: ViewEvent): void {
    const open = this.#views.get(view);
    if (open === undefined) return;
    if (event.kind === "output") open.credit -= event.bytes.length;
    if (event.kind === "screen") open.credit -= event.state.length;
    if (event.kind !== "screen" || !open.isRebuilt) {
      open.onEvent(event);
      return;
    }
    open.isRebuilt = false;
    open.onEvent({ ...event, screen: { ...event.screen, why: "rebuilt" } });
  }

  async #recover(id: string, call: number): Promise<void> {
    try {
      const result = await this.#options.recover(id);
      this.#send({ kind: "recovered", call, outcome: { result } });
    } catch (error) {
      this.#send({ kind: "recovered", call, outcome: { failure: toFailure(error) } });
    }
  }

  #lost(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return; // told before
    this.#worker = undefined;
    this.#closed.resolve();
    for (const look of this.#looks.values()) look.reject(error);
    if (this.#isClosed) return;
    this.#options.onProblem("The thread of the terminals has died; another one draws them again.", error);
    this.#restart = setTimeout(() => {
      this.#restart = undefined;
      this.#tellAgain();
    }, restartMs);
    this.#restart.unref();
  }

  #tellAgain(): void {
    for (const followed of this.#followed.values()) this.#send({ kind: "follow", ...followed });
    for (const [view, open] of this.#views) {
      open.isRebuilt = true;
      this.#send({ kind: "view", view, credit: open.credit, ...open.followed });
    }
  }
}
