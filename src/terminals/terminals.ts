// The terminals of this daemon: every process with a terminal is drawn from its start, whether somebody looks or not.
import { HoldfastError } from "../protocol/errors.ts";
import { directoryOf, keptProcess, type ProcessContext } from "../processes/index.ts";
import type { ProcessRecord } from "../store/index.ts";
import { Looks, type SeenScreen } from "./looks.ts";
import type { Followed } from "./thread/messages.ts";
import { ThreadLink } from "./thread-link.ts";
import { Views, type View, type ViewOptions } from "./views.ts";

export class Terminals {
  readonly #context: ProcessContext;
  readonly #link: ThreadLink;
  readonly #looks = new Looks();
  readonly #openedAt = Date.now();
  readonly #stopListening: () => void;
  readonly views: Views;

  /** Begins with those that run. */
  constructor(context: ProcessContext) {
    this.#context = context;
    this.#link = new ThreadLink({
      recover: (id) => context.launcher.recover(id),
      onProblem: (message, cause, id) =>
        context.report(message, cause, id === undefined ? {} : { processId: id }),
    });
    this.views = new Views({
      open: (id, credit, onEvent) => this.#link.view(this.#followed(id), credit, onEvent),
      resize: async (id, { columns, rows }) => {
        const kept = keptProcess(context, id);
        await kept.resize(columns, rows).finally(() => kept.close());
      },
    });
    for (const { id, mode } of context.registry.live())
      if (mode === "pty") this.#link.follow(this.#followed(id));
    this.#stopListening = context.registry.listen((event) => {
      if (event.kind === "process.started" && event.process.mode === "pty") {
        const isNew = Date.parse(event.process.createdAt) >= this.#openedAt;
        this.#link.follow({ ...this.#followed(event.processId), isNew });
      }
      if (event.kind === "process.ended") this.#link.unfollow(event.processId);
      if (event.kind === "process.removed") this.#forget(event.processId);
      if (event.kind === "process.changed" && event.process.outputRemoved) this.#forget(event.processId);
    });
  }

  /** What is on the screen when everything written until now is drawn. @throws HoldfastError NOT_A_TERMINAL, OUTPUT_TRIMMED */
  async look(
    record: ProcessRecord,
    since: string | undefined,
    clean: (lines: readonly string[], wrapped: readonly boolean[]) => string[],
  ): Promise<SeenScreen> {
    requireTerminal(record);
    const { wrapped, ...look } = await this.#link.look(this.#followed(record.id));
    return this.#looks.see(record.id, { ...look, lines: clean(look.lines, wrapped) }, since);
  }

  /** @throws HoldfastError NOT_A_TERMINAL, OUTPUT_TRIMMED */
  view(record: ProcessRecord, options: ViewOptions): View {
    requireTerminal(record);
    return this.views.open(record.id, options);
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.views.close();
    await this.#link.close();
  }

  #followed(id: string): Followed {
    return { id, directory: directoryOf(this.#context, id), isNew: false };
  }

  #forget(id: string): void {
    this.#link.forget(id);
    this.#looks.forget(id);
  }
}

function requireTerminal({ id, mode, outputRemoved, outputBytes }: ProcessRecord): void {
  if (mode !== "pty") {
    throw new HoldfastError("NOT_A_TERMINAL", `${id} has no terminal.`, {
      hint: "Start it with a terminal (pty) to have a screen; its output is read as it is.",
    });
  }
  if (!outputRemoved) return;
  throw new HoldfastError("OUTPUT_TRIMMED", `The output of ${id} was removed by retention.`, {
    hint: "Nothing of it is left to read; retention.ageMs, .maxEnded and .maxDiskBytes say how long output is kept.",
    details: { firstOffset: outputBytes },
  });
}
