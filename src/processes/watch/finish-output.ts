// Looks at everything an ended process wrote, again and again while reading fails.
import { setTimeout as delay } from "node:timers/promises";
import { outputEnd } from "../output/find-lines.ts";
import type { OutputLanes } from "./output-lanes.ts";
import type { StepStore } from "./step-store.ts";
import { restFrom, type WatchBook } from "./watch-book.ts";
import type { Gap } from "./worker-messages.ts";

// The thread died, or a file cannot be read: the next time it may work.
const readAgainMs = 250;
// In a row, without coming any further: then what is left cannot be looked at.
const mostFailures = 20;

export interface FinishOptions {
  readonly lanes: OutputLanes;
  readonly steps: StepStore;
  /** As stored. */
  readonly book: () => WatchBook;
  readonly directory: string;
  /** As much as it has written, as far as its exit record knows. */
  readonly outputBytes: number;
  /** Told why it is given up. */
  readonly report: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** Resolves with what nobody can look at any more. @throws HoldfastError STORE_… */
export async function finishOutput(options: FinishOptions): Promise<Gap | undefined> {
  const { lanes, steps, book, report, signal } = options;
  let failures = 0;
  for (;;) {
    const from = restFrom(book());
    await steps.inTurn(() => signal.aborted || lanes.openUnlessOpen());
    try {
      return (await lanes.finish()) === "complete" ? undefined : await rest(options);
    } catch (error) {
      failures = restFrom(book()) > from ? 1 : failures + 1;
      if (failures >= mostFailures) {
        report(error);
        return await rest(options);
      }
      await delay(readAgainMs, undefined, { signal, ref: false });
    }
  }
}

async function rest({ book, directory, outputBytes }: FinishOptions): Promise<Gap | undefined> {
  const from = restFrom(book());
  const to = Math.max(outputBytes, await outputEnd(directory).catch(() => 0)); // removed
  return to <= from ? undefined : { from, to };
}
