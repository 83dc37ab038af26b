// The door of the processes: everything that happens to one, from its start to its removal.
export type { ProcessContext } from "./context.ts";
export { directoryOf, keptProcess } from "./context.ts";
export { ProcessRegistry } from "./registry.ts";
export { ShellSessions } from "./shell/shell-sessions.ts";
export { chooseDirectory, resolveDirectory } from "./shell/start-in-shell.ts";
export { SessionActivity } from "./session/activity.ts";
export { endIdleSessionsRegularly, endsAt } from "./session/end-idle-sessions.ts";
export { endSession, endsWith } from "./session/end-session.ts";
export { LoginEnvironment } from "./start/login-environment.ts";
export { runToEnd } from "./start/run-to-end.ts";
export { confineStart, profileConfinement } from "./start/confine-start.ts";
export { expandHome, isWithin, temporaryPlaces } from "./start/confined-places.ts";
export { findExisting, gateKeys, StartGate } from "./start/find-existing.ts";
export { startProcess } from "./start/start-process.ts";
export { stopProcess } from "./stop/stop-process.ts";
export { stopProcesses } from "./stop/stop-processes.ts";
export { matchesSelector } from "./selector.ts";
export { currentView, detailView, lastLineCharacters, listedView, outputSource } from "./inspect/describe.ts";
export { describeTree } from "./inspect/describe-tree.ts";
export { UsageSampler } from "./usage/usage-sampler.ts";
export type { UsageSample } from "./usage/usage-sampler.ts";
export { readOutput } from "./output/read-output.ts";
export type { OutputSource } from "./output/read-output.ts";
export { runSearch } from "./search/run-search.ts";
export { hasNoRun } from "./output/has-no-run.ts";
export {
  followOutput,
  liveOutput,
  liveOutputEnd,
  type LiveOutputConsumer,
} from "./output/live-output.ts";
export { OutputGrowth } from "./output/output-growth.ts";
export { checkWatches } from "./watch/check-watches.ts";
export { ProcessWatches } from "./watch/process-watches.ts";
export { waitFor } from "./wait/wait-for.ts";
export { writeInput } from "./input/write-input.ts";
export { recover } from "./recover/recover.ts";
export type { Recovery } from "./recover/recover.ts";
export { removeProcess, sweep, sweepRegularly } from "./recover/retention.ts";
export { signalName, signalNumber, viewProcess, viewShare } from "./view.ts";
