// Recovery needs a store that can be written. One that could only be read when the daemon began is tried again until it can; what
// was put off is done then, once.
import { recover, sweepRegularly, type ProcessContext, type Recovery } from "../processes/index.ts";

export interface WritableOptions {
  readonly closers: { add(close: () => unknown): void };
  /** It could only be read before, and all is recovered now. */
  readonly onWritable: () => void;
}

const nothingRecovered: Recovery = { adopted: 0, ended: 0, rebuilt: 0 };
// Room is made by hand, or a disk is mounted again: asking every second costs nothing.
const intervalMs = 1_000;

/** What was recovered at once: nothing where nothing can be written down, and the rows are told as they were left. */
export async function recoverWhenWritable(
  context: ProcessContext,
  { closers, onWritable }: WritableOptions,
): Promise<Recovery> {
  if (context.store.access === "read-write") {
    const recovery = await recover(context);
    closers.add(sweepRegularly(context));
    return recovery;
  }
  const recoverNow = async (): Promise<boolean> => {
    const live = await context.store.becomeWritable();
    if (live === undefined) return false;
    // With no pause after the line above: a start that comes now must not be taken for one of an earlier daemon.
    await context.registry.takeLive(live);
    await context.launcher.ping();
    await recover(context, live);
    closers.add(sweepRegularly(context));
    onWritable();
    return true;
  };
  closers.add(
    repeatUntilDone(recoverNow, (error) => context.report("What the store was waited for failed.", error)),
  );
  return nothingRecovered;
}

/** Returns how to stop; what is under way is still finished. */
function repeatUntilDone(
  work: () => Promise<boolean>,
  onFailure: (error: unknown) => void,
): () => Promise<void> {
  let timer: NodeJS.Timeout;
  let isOver = false;
  let turn = Promise.resolve();
  const arm = (): void => {
    timer = setTimeout(() => {
      turn = work().then((isDone) => (isDone || isOver ? undefined : arm()), onFailure);
    }, intervalMs);
    timer.unref();
  };
  arm();
  return async () => {
    isOver = true;
    clearTimeout(timer);
    await turn;
  };
}
