// A framed part of a page, with its heading and what can be done there.
import type { ReactNode } from "react";

export interface PanelProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
  /** For a link that leads to it. */
  readonly id?: string;
}

export function Panel({ title, actions, children, className = "", id }: PanelProps) {
  return (
    <section
      id={id}
      className={`min-w-0 rounded-lg border border-line bg-surface ${className}`}
      aria-label={title}
    >
      <div className="flex min-h-10 items-center justify-between gap-2 border-b border-line px-3 py-1">
        <h2 className="truncate text-sm font-semibold">{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}
