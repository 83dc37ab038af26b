// The files of one home that say who runs it, readable with no daemon.
export { findOwner, type DaemonOwner } from "./daemon-owner.ts";
export { endDaemon, type Ending, type EndOptions } from "./end-daemon.ts";
export { daemonExitCode, type DaemonExitCode } from "./exit-codes.ts";
export { explain } from "./explain.ts";
export { homeFiles, type HomeFiles } from "./files.ts";
export { holdOf, type Hold } from "./lock-holder.ts";
export { isAtLeast, logLevels, parseLogLine, type LogEntry, type LogLevel } from "./log-entry.ts";
export { renderLogEntry } from "./log-text.ts";
export {
  consumeMarker,
  leaveMarker,
  withdrawMarker,
  type Marker,
  type MarkerKind,
  type MarkerWish,
} from "./markers.ts";
export { readPresence, type Owner, type Presence, type PresenceState } from "./presence.ts";
export { findPreviousEnd } from "./previous-end.ts";
export { isSameProcess, ownRecord, readRecord, removeRecord } from "./record.ts";
export {
  readStatusFile,
  StatusFile,
  type Leave,
  type StatusChange,
  type StatusFileOptions,
} from "./status-file.ts";
export { detectSupervisor } from "./supervisor.ts";
export { makeHome } from "./make-home.ts";
