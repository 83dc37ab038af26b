// The tables as the newest migration leaves them: names and types of columns, as stored.
import type { Generated } from "kysely";

export interface ProcessRow {
  id: string;
  name: string | null;
  state: string;
  command: string;
  argv: string;
  cwd: string;
  mode: string;
  spec: string;
  session: string | null;
  task: string | null;
  profile: string;
  origin: string | null;
  labels: string;
  lifetime: string;
  idempotency_key: string | null;
  pid: number | null;
  child_start: number | null;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  exit: string | null;
  stop_requester: string | null;
  output_bytes: number;
  output_removed: number;
  kind: string;
  notify: string;
  end_cwd: string | null;
}

/** One row for each label of a process, to find processes by. What is shown is the column `labels`. */
export interface ProcessLabelRow {
  process_id: string;
  key: string;
  value: string;
}

export interface EventRow {
  seq: Generated<number>;
  at: number;
  kind: string;
  process_id: string | null;
  data: string;
}

interface OwnerColumns {
  session: string | null;
  task: string | null;
  profile: string;
  origin: string | null;
}

export interface NoticeRow extends OwnerColumns {
  seq: Generated<number>;
  id: string;
  kind: string;
  at: number;
  process_id: string | null;
  state: string;
  observed_at: number | null;
  /** When and by whom it was seen or acknowledged. */
  settled_at: number | null;
  settled_by: string | null;
  lease_by: string | null;
  lease_until: number | null;
  attempts: Generated<number>;
  data: string;
}

/** Somewhere notices are pushed to: how far it was looked through for it. */
export interface SinkRow {
  name: string;
  cursor: number;
  state: string;
  reason: string | null;
  changed_at: number;
}

/** One notice for one sink. */
export interface DeliveryRow {
  notice_id: string;
  sink: string;
  state: string;
  attempts: Generated<number>;
  next_at: number;
  last_error: string | null;
  changed_at: number;
}

export interface WatchRow {
  id: string;
  process_id: string;
  spec: string;
  state: string;
  from_offset: number;
  created_at: number;
  hits: Generated<number>;
  last_hit_at: number | null;
  last_hit_offset: number | null;
}

export interface WatchProgressRow {
  process_id: string;
  /** Everything before has been looked at and is committed. */
  resume_at: number;
  /** Window, strikes and what is held back. */
  push: string;
  gaps: Generated<string>;
}

/** Hits of one watch in one part of the output. */
export interface WatchCountRow {
  watch_id: string;
  segment: number;
  hits: number;
}

export interface SessionRow {
  key: string;
  created_at: number;
  active_at: number;
  busy_by: string | null;
  busy_until: number | null;
  resumptions: Generated<number>;
  barrier: string | null;
  /** Of its shell. */
  cwd: string | null;
  ended_at: number | null;
}

export interface DelegationRow extends OwnerColumns {
  id: string;
  state: string;
  work: string;
  result: string | null;
  delegate: string | null;
  created_at: number;
  updated_at: number;
  finished_at: number | null;
}

export interface ApprovalRow {
  id: string;
  state: string;
  digest: string;
  session: string | null;
  task: string | null;
  profile: string;
  command: string;
  cwd: string;
  reasons: string;
  created_at: number;
  expires_at: number;
  answered_at: number | null;
  answer: string | null;
  answered_by: string | null;
  note: string | null;
  used_at: number | null;
}

export interface GrantRow {
  id: string;
  session: string | null;
  profile: string | null;
  rule: string | null;
  digest: string | null;
  by: string;
  created_at: number;
  expires_at: number | null;
}

export interface AuditRow {
  seq: Generated<number>;
  at: number;
  what: string;
  decision: string;
  session: string | null;
  task: string | null;
  profile: string | null;
  command: string | null;
  cwd: string | null;
  rules: string;
  approval: string | null;
  by: string;
  request_id: string;
}

export interface CursorRow {
  session: string;
  process_id: string;
  offset: number;
  screen: string | null;
  looked_at: number;
}

export interface ShareRow {
  process_id: string;
  /** Empty: every session. */
  session: string;
  right: string;
  by: string;
  at: number;
}

export interface CredentialRow {
  id: string;
  kind: string;
  digest: string;
  name: string;
  role: string;
  via: string;
  proof: string;
  created_at: number;
  created_by: string;
  expires_at: number | null;
  used_at: number | null;
}

export interface MetaRow {
  key: string;
  value: string;
}

export interface StoreTables {
  processes: ProcessRow;
  process_labels: ProcessLabelRow;
  events: EventRow;
  notices: NoticeRow;
  sinks: SinkRow;
  deliveries: DeliveryRow;
  watches: WatchRow;
  watch_progress: WatchProgressRow;
  watch_counts: WatchCountRow;
  sessions: SessionRow;
  delegations: DelegationRow;
  approvals: ApprovalRow;
  grants: GrantRow;
  audit: AuditRow;
  cursors: CursorRow;
  shares: ShareRow;
  credentials: CredentialRow;
  meta: MetaRow;
}
