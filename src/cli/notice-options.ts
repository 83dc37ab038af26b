// Which notices: options that several commands share.
import { Option, type Command } from "commander";
import type { NoticeFilter, NoticeKind } from "../protocol/notices.ts";
import { given } from "./parse/given.ts";

export interface NoticeFilterOptions {
  readonly session?: string;
  readonly task?: string;
  readonly process?: string;
  readonly kind?: NoticeKind[];
}

export function withNoticeFilter(command: Command): Command {
  return command
    .option("--session <key>", "only those of this session")
    .option("--task <id>", "only those of this task")
    .option("--process <id>", "only those about this process")
    .addOption(new Option("--kind <kind...>", "only these kinds, like process.ended"));
}

export function noticeFilterOf({ session, task, process, kind }: NoticeFilterOptions): NoticeFilter {
  return given({ session, task, process, kinds: kind });
}
