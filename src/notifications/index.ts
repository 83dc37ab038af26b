// The door of notifications: the outbox, its texts and its readers.
export type { NotificationContext } from "./context.ts";
export { describeNotice } from "./describe-notice.ts";
export { expireNotices } from "./expire.ts";
export { noticeFeed } from "./feed.ts";
export type { NoticeFeedOptions } from "./feed.ts";
export { Outbox } from "./outbox.ts";
export type { ClaimOptions, OutboxOptions } from "./outbox.ts";
