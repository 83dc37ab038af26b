// The first lines of a daemon: which it is, and how the one before it ended, if that did not say so itself.
import type { PreviousEnd } from "../../protocol/daemon.ts";
import type { Log } from "../../util/log.ts";

const ends: Readonly<Record<PreviousEnd["how"], string | undefined>> = {
  left: undefined,
  killed: "it was killed",
  rebooted: "the machine was restarted, or the home came from another one",
  unknown: "it was killed, or the machine was restarted",
};

export interface Start {
  readonly home: string;
  readonly version: string;
  readonly previousEnd: PreviousEnd | undefined;
}

export function tellStart(log: Log, { home, version, previousEnd }: Start): void {
  log.info({ version, home }, "starting");
  if (previousEnd === undefined) return;
  const why = ends[previousEnd.how];
  if (why !== undefined)
    log.warn({ previousEnd }, `the daemon before this one did not say why it went: ${why}`);
}
