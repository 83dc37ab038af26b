// The door of the store.
export { Store } from "./store.ts";
export type { StoreOptions, StoreOrigin, StoreTransaction } from "./store.ts";
export { storeVersion } from "./migrate.ts";
export { refuseNewerStore } from "./refuse-newer-store.ts";
export { withoutEnvironmentValues } from "./process-record.ts";
export type { ProcessRecord, ProcessSpec } from "./process-record.ts";
export type { EndedFilter, ProcessChanges, Processes, ProcessFilter } from "./processes.ts";
export type { Events, NewEvent, StoredEvent, StoredEventKind } from "./events.ts";
export { noticeId } from "./new-notice.ts";
export type { NewNotice, NoticeRoute } from "./new-notice.ts";
export type { Claim, NoticeQuery, NoticeRecord, Notices, Settlement } from "./notices.ts";
export type {
  Deliveries,
  Delivery,
  DeliveryChange,
  DeliveryState,
  DueDeliveries,
  SinkRecord,
} from "./deliveries.ts";
export type { DelegationRecord, Delegations, DelegationState } from "./delegations.ts";
export type { SessionChanges, SessionRecord, Sessions } from "./sessions.ts";
