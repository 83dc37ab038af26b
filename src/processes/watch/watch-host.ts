// What watching needs of the daemon around it.
import type { Config } from "../../config/index.ts";
import type { Launcher } from "../../keeper/index.ts";
import type { Redactor } from "../../redaction/index.ts";
import type { Store } from "../../store/index.ts";
import type { ProcessRegistry } from "../registry.ts";
import type { Keep } from "./hit-recorder.ts";

export interface WatchHost {
  readonly home: string;
  readonly store: Store;
  readonly registry: ProcessRegistry;
  readonly launcher: Launcher;
  readonly config: () => Config;
  readonly redactor: Redactor;
  /** A problem that concerns nobody's request. */
  readonly report: (message: string, cause?: unknown, about?: { readonly processId?: string }) => void;
  /** Aborted when the daemon goes. */
  readonly signal: AbortSignal;
}

export function keepOf({ config, redactor }: WatchHost): Keep {
  const { maxLines, maxCharacters } = config().watch;
  return { lines: maxLines, characters: maxCharacters, isRedacted: redactor.isEnabled };
}
