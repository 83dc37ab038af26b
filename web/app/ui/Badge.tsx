// A short word with a tone. The tone is never the only carrier of meaning: the word says it too.
import type { ReactNode } from "react";
import type { Tone } from "~/util/exit-text.ts";

const looks: Record<Tone, string> = {
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  info: "bg-info-soft text-info",
  neutral: "bg-sunken text-muted",
};

export function Badge({ tone, children, title }: { tone: Tone; children: ReactNode; title?: string }) {
  return (
    <span
      title={title}
      className={`inline-block h-5 max-w-full truncate rounded px-1.5 align-middle text-xs/5 font-medium ${looks[tone]}`}
    >
      {children}
    </span>
  );
}
