// From what happens to processes to which resources have changed.
import type { Event } from "../../protocol/events.ts";
import { outputUri, processUri, taskUri } from "./resources.ts";

export interface UpdateSink {
  readonly updated: (uri: string) => void;
  readonly listChanged: () => void;
}

export function tellEvent(event: Event, { updated, listChanged }: UpdateSink): void {
  switch (event.kind) {
    case "process.started":
    case "process.removed":
      listChanged();
      if (event.kind === "process.started") updated(processUri(event.processId));
      break;
    case "process.changed":
      updated(processUri(event.processId));
      updated(taskUri(event.processId));
      break;
    case "process.ended":
      updated(processUri(event.processId));
      updated(taskUri(event.processId));
      // Its last words may have come since the last word about its output.
      updated(outputUri(event.processId));
      break;
    case "process.output-grew":
      updated(outputUri(event.processId));
      break;
    case "events.trimmed":
      listChanged();
      break;
  }
}

/** Until the signal; what goes wrong is reported, and then there are no more updates. */
export async function followEvents(
  events: AsyncIterable<Event>,
  sink: UpdateSink,
  {
    signal,
    report,
  }: { readonly signal: AbortSignal; readonly report: (message: string, cause: unknown) => void },
): Promise<void> {
  try {
    for await (const event of events) tellEvent(event, sink);
  } catch (error) {
    if (!signal.aborted) report("Updates of resources have ended.", error);
  }
}
