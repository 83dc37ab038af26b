// All sinks of the configuration, each with its deliverer. A change of the configuration changes only what it names.
import type { Config } from "../../config/index.ts";
import { noticeKinds } from "../../protocol/notices.ts";
import { commandSink, type CommandSinkContext } from "./command-sink.ts";
import { Deliverer } from "./deliverer.ts";
import { desktopSink, desktopSinkName } from "./desktop-sink.ts";
import { SessionTurns } from "./session-turns.ts";
import type { Sink } from "./sink.ts";
import { webhookSink } from "./webhook-sink.ts";

type SinkConfig = Config["sinks"][string];

// As Standard Webhooks suggests: soon, then over three days.
const webhookScheduleMs = [
  5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
];
const commandScheduleMs = [5_000, 30_000, 120_000, 600_000];

export interface SinksOptions extends CommandSinkContext {
  readonly environment: NodeJS.ProcessEnv;
}

/** Those that a notice can be brought to now. */
export function sinkNames({ sinks }: Pick<Config, "sinks">): string[] {
  return [...Object.keys(sinks), desktopSinkName];
}

export class Sinks {
  readonly #options: SinksOptions;
  readonly #open = new Map<string, { readonly text: string; readonly deliverer: Deliverer }>();
  readonly #turns = new SessionTurns();
  #changing: Promise<void> = Promise.resolve();

  constructor(options: SinksOptions) {
    this.#options = options;
  }

  /** Deliveries under way. */
  get busyCount(): number {
    return [...this.#open.values()].reduce((sum, { deliverer }) => sum + deliverer.busyCount, 0);
  }

  /** Opens what is new, closes what is gone, and does both for what is different. */
  async apply(config: Config): Promise<void> {
    const turn = this.#changing.then(() => this.#apply(config));
    this.#changing = turn.catch(() => undefined); // told to whoever asked; the next change is applied all the same
    await turn;
  }

  async close(): Promise<void> {
    await this.#changing;
    await Promise.all([...this.#open.values()].map(({ deliverer }) => deliverer.close()));
    this.#open.clear();
  }

  async #apply(config: Config): Promise<void> {
    const wanted = new Map<string, unknown>([
      ...Object.entries(config.sinks),
      [desktopSinkName, config.desktop],
    ]);
    for (const [name, { text, deliverer }] of this.#open) {
      if (wanted.has(name) && JSON.stringify(wanted.get(name)) === text) continue;
      this.#open.delete(name);
      await deliverer.close();
    }
    for (const [name, found] of wanted) {
      if (this.#open.has(name)) continue;
      const sink =
        name === desktopSinkName
          ? desktopSink({ command: config.desktop.command, environment: this.#options.environment })
          : this.#sinkOf(name, found as SinkConfig); // of the map above
      const text = JSON.stringify(found);
      const deliverer = new Deliverer({ context: this.#options.notifications, sink, settings: text });
      deliverer.start();
      this.#open.set(name, { text, deliverer });
    }
  }

  #sinkOf(name: string, config: SinkConfig): Sink {
    const { session, profile, process, kinds } = config;
    const query = { session, profile, processName: process, kinds };
    if (config.kind === "webhook")
      return webhookSink({ ...config, name, query, scheduleMs: config.scheduleMs ?? webhookScheduleMs });
    return commandSink(this.#options, this.#turns, {
      ...config,
      name,
      // It resumes an agent, which cannot answer an approval: that one only where it is asked for by name.
      query: { ...query, kinds: kinds ?? noticeKinds.filter((kind) => kind !== "approval.wanted") },
      cwd: config.cwd,
      scheduleMs: config.scheduleMs ?? commandScheduleMs,
    });
  }
}
