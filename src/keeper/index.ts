// The door of the TypeScript side of keeper/CONTRACT.md.
export { installBinary, locateBinary } from "./binary.ts";
export { boundedNofile } from "./caller-limits.ts";
export { confinementLack, confinementUnavailable, findConfinementLack } from "./confinement.ts";
export type { Confinement } from "./confinement.ts";
export { Launcher } from "./launcher.ts";
export type { BeginStart, LauncherOptions, LauncherStatus, StartOptions } from "./launcher.ts";
export type { FailedStart, StartedRun, StartOutcome } from "./pending-start.ts";
export type { ResourceLimit, StartRequest } from "./start-request.ts";
export { KeptProcess } from "./kept-process.ts";
export type { KeptProcessOptions } from "./kept-process.ts";
export type { LocalRun, Recovered, RemoteRun, RunTarget } from "./reach-keeper.ts";
export { KeeperConnection } from "./connection.ts";
export type {
  ConnectionOptions,
  OutsideProgram,
  StopOptions,
  StopResult,
  WriteOptions,
} from "./connection.ts";
export type { KeeperState, TerminalState } from "./keeper-state.ts";
export type { SignalTarget, StopOutcome } from "./numbers.ts";
export type { Mark, MarkKind, OutputEvent } from "./output-event.ts";
export type { OutputOptions } from "./output-stream.ts";
export type { StdinWriteOptions } from "./stdin-writer.ts";
export { openAttachCommand } from "./attach-command.ts";
export type { AttachCommandOptions } from "./attach-command.ts";
export { connectUnixSocket } from "./socket.ts";
export { leaveTree } from "./leave-tree.ts";
export { readPeer } from "./peer.ts";
export type { Peer } from "./peer.ts";
export { mayHaveKeeper, readRunDirectory, runDirectory, runsDirectory } from "./run-directory.ts";
export type { RunDirectory } from "./run-directory.ts";
export { parseKeeperFile, readKeeperFile } from "./keeper-file.ts";
export type { KeeperFile } from "./keeper-file.ts";
export { readSpec } from "./spec-file.ts";
export type { RunMode, RunSpec } from "./spec-file.ts";
export { listSegments, segmentEnd } from "./segments.ts";
export type { Segment } from "./segments.ts";
export { readStoredOutput } from "./stored-output.ts";
export type { StoredOutputOptions } from "./stored-output.ts";
export { classifyRuns, scanRuns } from "./scan.ts";
export type { ClassifiedRuns, RunStatus } from "./scan.ts";
export { pulled } from "./pulled.ts";
