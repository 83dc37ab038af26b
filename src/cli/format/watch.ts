// A watch for people: what it looks for, in few words.
import { listenerText } from "../../protocol/listener-text.ts";
import type { WatchSpec } from "../../protocol/watches.ts";
import { formatDuration } from "./duration.ts";

export function watchText(spec: WatchSpec): string {
  switch (spec.kind) {
    case "text":
    case "regex": {
      const where = spec.stream === "both" ? "" : ` on ${spec.stream}`;
      return `${spec.kind}${where}: ${spec.kind === "text" ? spec.text : spec.regex}`;
    }
    case "silence":
      return `silence for ${formatDuration(spec.ms)}`;
    case "rate":
      return `more than ${spec.most} ${spec.unit} within ${formatDuration(spec.perMs)}`;
    case "input":
      return "waits for input";
    case "exit":
      return `exit code ${spec.codes.join(", ")}`;
    case "port":
      return `port ${listenerText(spec)}`;
    default:
      return `http ${spec.url}`;
  }
}
