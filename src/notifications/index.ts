// The door of notifications: the outbox, its texts, its readers and what stands on it.
export { clearBarrier, getBarrier, setBarrier } from "./barrier.ts";
export type { BarrierTarget } from "./barrier.ts";
export type { NotificationContext } from "./context.ts";
export { DeadLetters } from "./dead-letters.ts";
export {
  cancelDelegation,
  endLostDelegations,
  finishDelegation,
  progressDelegation,
  startDelegation,
  viewDelegation,
} from "./delegations.ts";
export { describeNotice, describeNotices } from "./describe-notice.ts";
export { expireNotices } from "./expire.ts";
export { noticeFeed } from "./feed.ts";
export type { NoticeFeedOptions } from "./feed.ts";
export { Notifier } from "./notifier.ts";
export type { NotifierOptions } from "./notifier.ts";
export { Outbox } from "./outbox.ts";
export type { ClaimOptions, OutboxOptions } from "./outbox.ts";
export { attendSession, isBusy, markBusy, markIdle, viewSession } from "./sessions.ts";
export { sinkNames } from "./sinks/sinks.ts";
export { jobResultText } from "./text/job-result.ts";
