// What a watch looks for, in words.
import { listenerText } from "#protocol/listener-text.ts";
import type { WatchSpec } from "#protocol/watches.ts";
import { formatBytes, formatDuration } from "~/util/format.ts";

export function watchText(spec: WatchSpec): string {
  switch (spec.kind) {
    case "text":
      return `a line with “${spec.text}”`;
    case "regex":
      return `a line that fits ${spec.regex}`;
    case "silence":
      return `nothing written for ${formatDuration(spec.ms)}`;
    case "rate": {
      const amount = spec.unit === "bytes" ? formatBytes(spec.most) : `${spec.most} lines`;
      return `more than ${amount} in ${formatDuration(spec.perMs)}`;
    }
    case "input":
      return "it waits for input";
    case "exit":
      return `it ends with code ${spec.codes.join(", ")}`;
    case "port":
      return `${listenerText(spec)} accepts connections`;
    default:
      return `${spec.url} answers${spec.status === undefined ? "" : ` with ${spec.status}`}`;
  }
}

/** Only what looks at output has places to find again. */
export function hasHits({ kind }: WatchSpec): boolean {
  return kind === "text" || kind === "regex";
}
