// What one event makes of the processes that are known.
import type { ListedProcess } from "#protocol/control.ts";
import type { Event } from "#protocol/events.ts";

export function applyEvent(map: Map<string, ListedProcess>, event: Event): void {
  switch (event.kind) {
    case "process.started":
    case "process.changed":
    case "process.ended":
      map.set(event.processId, { ...map.get(event.processId), ...event.process });
      return;
    case "process.removed":
      map.delete(event.processId);
      return;
    case "process.output-grew": {
      const known = map.get(event.processId);
      if (known !== undefined) map.set(event.processId, { ...known, outputBytes: event.outputBytes });
      return;
    }
    case "events.trimmed":
  }
}
