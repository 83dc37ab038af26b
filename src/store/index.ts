// The door of the store.
export { Store } from "./store.ts";
export type {
  ApprovalChange,
  DelegationChange,
  NoticeListener,
  StoreOptions,
  StoreOrigin,
  StoreTransaction,
} from "./store.ts";
export { storeVersion } from "./migrate.ts";
export { refuseNewerStore } from "./refuse-newer-store.ts";
export { withoutEnvironmentValues } from "./process-record.ts";
export type { ProcessRecord, ProcessSpec } from "./process-record.ts";
export type { EndedFilter, ProcessChanges, Processes, ProcessFilter } from "./processes.ts";
export type { Events, NewEvent, StoredEvent, StoredEventKind } from "./events.ts";
export { noticeId } from "./new-notice.ts";
export type { NewNotice, NoticeRoute } from "./new-notice.ts";
export type { NoticeQuery } from "./notice-query.ts";
export type { NoticeRecord } from "./notice-record.ts";
export { endKinds } from "./notices.ts";
export type { Claim, Notices, Settlement } from "./notices.ts";
export { settledBySink } from "./deliveries.ts";
export type { Deliveries, Delivery, DeliveryChange, DeliverySelection, DeliveryState } from "./deliveries.ts";
export type { SinkRecord, SinkStates } from "./sink-states.ts";
export type { DelegationRecord, Delegations, DelegationState } from "./delegations.ts";
export type { SessionChanges, SessionRecord, Sessions } from "./sessions.ts";
export type { StoredHits, WatchAdvance, WatchProgress, WatchRecord } from "./watches.ts";
export type { ApprovalFilter, ApprovalRecord } from "./approvals.ts";
export type { AuditFilter, AuditRecord } from "./audit.ts";
export type { GrantRecord } from "./grants.ts";
export type { CursorRecord } from "./cursors.ts";
export type { ShareRecord } from "./shares.ts";
export type { CredentialRecord } from "./credentials.ts";
