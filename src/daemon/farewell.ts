// Why a daemon goes, and what follows: its exit code, what it leaves written, how long it lets waits finish.
import { daemonExitCode, type DaemonExitCode, type Marker } from "../home/index.ts";
import type { StopRequest } from "../operations/index.ts";

export type Cause =
  | { readonly kind: "SIGTERM"; readonly marker: Marker | undefined }
  | { readonly kind: "SIGINT" }
  | { readonly kind: "request"; readonly request: StopRequest };

export interface Farewell {
  readonly exitCode: DaemonExitCode;
  /** For the log and the status file. */
  readonly reason: string;
  /** It shall come back. */
  readonly restart: boolean;
  /** Undefined: as configured. */
  readonly drainMs: number | undefined;
  /** Somebody said before that it should go; a bare signal says nothing. */
  readonly isAnnounced: boolean;
}

export function farewellFor(cause: Cause): Farewell {
  if (cause.kind === "SIGINT") return leaving("SIGINT", { isAnnounced: false });
  if (cause.kind === "request") {
    const { restart, drainMs, requestId } = cause.request;
    return leaving(`asked to ${restart ? "restart" : "stop"} by request ${requestId}`, { restart, drainMs });
  }
  const { marker } = cause;
  if (marker === undefined) {
    return leaving("SIGTERM that nobody announced", {
      exitCode: daemonExitCode.terminated,
      isAnnounced: false,
    });
  }
  // Its successor waits, and waits of clients go on there.
  if (marker.kind === "takeover")
    return leaving(`replaced by process ${marker.byPid}`, { drainMs: marker.drainMs ?? 0 });
  const { restart = false, drainMs, byPid } = marker;
  return leaving(`told to ${restart ? "restart" : "stop"} by process ${byPid}`, { restart, drainMs });
}

function leaving(reason: string, more: Partial<Omit<Farewell, "reason">>): Farewell {
  const exitCode = more.restart === true ? daemonExitCode.restart : daemonExitCode.done;
  return { exitCode, reason, restart: false, drainMs: undefined, isAnnounced: true, ...more };
}
