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

  /** toldTurn: a timer may be a little early, and a turn is told once. */
  #arm(record: ProcessRecord, toldTurn?: number): void {
    const everyMs = record.spec.progress?.everyMs;
    if (everyMs === undefined || record.startedAt === null || record.state === "ended") return;
    this.#disarm(record.id);
    const runsMs = Math.max(0, Date.now() - record.startedAt);
    const turn = (toldTurn ?? Math.floor(runsMs / everyMs)) + 1;
    const pauseMs = Math.min(everyMs, Math.max(1, turn * everyMs - runsMs));
    const timer = setTimeout(() => void this.#tell(record, everyMs), pauseMs);
    timer.unref();
    this.#timers.set(record.id, timer);
  }

  #disarm(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  async #tell(record: ProcessRecord, everyMs: number): Promise<void> {
    const { processes } = this.#context;
    const at = Date.now();
    const runsMs = Math.max(0, at - (record.startedAt ?? at));
    const turn = Math.round(runsMs / everyMs);
    try {
      await processes.store.addNotices([
        {
          kind: "process.progress",
          at,
          processId: record.id,
          route: record,
          state: "pending",
          dedupeKey: `process.progress:${record.id}:${turn}`,
          data: { runsMs },
          overtakes: "process.progress",
          onlyWhileRunning: true,
        },
      ]);
    } catch (error) {
      processes.report(`That ${record.id} still runs could not be told.`, error);
    }
    if (this.#timers.has(record.id)) this.#arm(record, turn); // it has not ended meanwhile
  }
}
