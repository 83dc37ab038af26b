// Where a home keeps what tells who runs it.
import { join } from "node:path";

export interface HomeFiles {
  /** Empty; the daemon holds a flock on it for life, which is the only proof that a daemon runs. */
  readonly lock: string;
  /** Who has the lock, for people and tools. */
  readonly record: string;
  /** How it is, for readers with no daemon. */
  readonly status: string;
  /** Left by a daemon that replaces another, for that one. */
  readonly takeover: string;
  /** Left by whoever stops the daemon on purpose, for the daemon. */
  readonly plannedStop: string;
  readonly log: string;
}

export function homeFiles(home: string): HomeFiles {
  return {
    lock: join(home, "daemon.lock"),
    record: join(home, "daemon.json"),
    status: join(home, "daemon-status.json"),
    takeover: join(home, "daemon-takeover.json"),
    plannedStop: join(home, "daemon-planned-stop.json"),
    log: join(home, "daemon.log"),
  };
}
