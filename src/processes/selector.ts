// Which processes a caller means when it names none.
import type { ProcessRecord } from "../store/index.ts";

export interface Selector {
  readonly session?: string | undefined;
  readonly task?: string | undefined;
  readonly profile?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

export function matchesSelector(record: ProcessRecord, selector: Selector): boolean {
  return (
    (selector.session === undefined || record.session === selector.session) &&
    (selector.task === undefined || record.task === selector.task) &&
    (selector.profile === undefined || record.profile === selector.profile) &&
    Object.entries(selector.labels ?? {}).every(([key, value]) => record.labels[key] === value)
  );
}
