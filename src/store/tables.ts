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

export interface MetaRow {
  key: string;
  value: string;
}

export interface StoreTables {
  processes: ProcessRow;
  process_labels: ProcessLabelRow;
  events: EventRow;
  meta: MetaRow;
}
