// Short notices that a process still runs, as often as its start asked for. They follow from when it started, so a restart of the
// daemon changes nothing; what was not taken care of is replaced by the next, so there is no backlog.
import type { ProcessRecord } from "../store/index.ts";
import type { NotificationContext } from "./context.ts";

export class Progress {
  readonly #context: NotificationContext;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #stopListening: () => void;

  constructor(context: NotificationContext) {
    this.#context = context;
    const { registry } = context.processes;
    for (const record of registry.live()) this.#arm(record);
    this.#stopListening = registry.listen((event) => {
      if (event.kind === "process.started")
        void registry.get(event.processId).then((found) => found && this.#arm(found));
      if (event.kind === "process.ended" || event.kind === "process.removed") this.#disarm(event.processId);
    });
  }

  close(): void {
    this.#stopListening();
    for (const id of this.#timers.keys()) this.#disarm(id);
  }

  #arm(record: ProcessRecord): void {
    const everyMs = record.spec.progress?.everyMs;
    if (everyMs === undefined || record.startedAt === null || record.state === "ended") return;
    this.#disarm(record.id);
    const runsMs = Math.max(0, Date.now() - record.startedAt);
    const timer = setTimeout(() => void this.#tell(record, everyMs), everyMs - (runsMs % everyMs));
    timer.unref();
    this.#timers.set(record.id, timer);
  }

  #disarm(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  async #tell(record: ProcessRecord, everyMs: number): Promise<void> {
    const { processes } = this.#context;
    try {
      const current = await processes.registry.get(record.id);
      if (current === undefined || current.state === "ended") return;
      const at = Date.now();
      const turn = Math.round((at - (current.startedAt ?? at)) / everyMs);
      await processes.store.notices.dropPending(record.id, "process.progress");
      await processes.store.addNotices([
        {
          kind: "process.progress",
          at,
          processId: record.id,
          route: current,
          state: "pending",
          dedupeKey: `process.progress:${record.id}:${turn}`,
        },
      ]);
    } catch (error) {
      processes.report(`That ${record.id} still runs could not be told.`, error);
    }
    this.#arm(record);
  }
}
