// Everything of notifications that runs by itself: sinks, progress, delegations whose owner died, old notices.
import type { ConfigStore } from "../config/index.ts";
import { endLostDelegations } from "./delegations.ts";
import { expireNotices } from "./expire.ts";
import { Progress } from "./progress.ts";
import { sinkNames, Sinks, type SinksOptions } from "./sinks/sinks.ts";

// The kernel tells nobody that a process which is not ours has ended; so often it is looked for.
const lookMs = 10_000;
const expireMs = 3_600_000;

export interface NotifierOptions extends SinksOptions {
  readonly config: ConfigStore;
}

export class Notifier {
  readonly #options: NotifierOptions;
  readonly #sinks: Sinks;
  readonly #progress: Progress;
  readonly #timers: NodeJS.Timeout[];
  readonly #stopFollowing: () => void;

  constructor(options: NotifierOptions) {
    const { config, notifications } = options;
    this.#options = options;
    this.#sinks = new Sinks(options);
    this.#progress = new Progress(notifications);
    const apply = (): void => this.#report("The sinks cannot be opened.", this.#sinks.apply(config.current));
    this.#stopFollowing = config.onChange(apply);
    const look = (): void =>
      this.#whenWritable("Delegations cannot be looked at.", () => endLostDelegations(notifications));
    const expire = (): void =>
      this.#whenWritable("Old notices cannot be removed.", () => expireNotices(notifications, Date.now()));
    this.#timers = [setInterval(look, lookMs), setInterval(expire, expireMs)];
    for (const timer of this.#timers) timer.unref();
    this.#report("Dead letters cannot be read.", notifications.deadLetters.load(sinkNames(config.current)));
    apply();
    look();
    expire();
  }

  /** Deliveries under way. */
  get busyCount(): number {
    return this.#sinks.busyCount;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#stopFollowing();
    this.#progress.close();
    await this.#sinks.close();
  }

  /** Nothing of this can be done while the store cannot be written, which the store itself has told. */
  #whenWritable(message: string, work: () => Promise<unknown>): void {
    if (this.#options.notifications.processes.store.access === "read-write") this.#report(message, work());
  }

  #report(message: string, work: Promise<unknown>): void {
    const { processes } = this.#options.notifications;
    work.catch((error: unknown) => {
      if (!processes.signal.aborted) processes.report(message, error);
    });
  }
}
