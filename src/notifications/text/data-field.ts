// Fields of a notice's data, which depends on its kind: one that is missing or of another type must not break a text.
import type { NoticeRecord } from "../../store/index.ts";

export function textField(data: NoticeRecord["data"], name: string): string {
  const value = data[name];
  return typeof value === "string" ? value : "";
}

export function countField(data: NoticeRecord["data"], name: string): number {
  const value = data[name];
  return typeof value === "number" ? value : 0;
}
