// What a page shows when there is nothing yet, nothing at all, or something went wrong. All keep the place of the content.
import type { ReactNode } from "react";
import { errorText } from "~/api/client.ts";
import { Button } from "~/ui/Button.tsx";

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly icon?: ReactNode;
}

export function Empty({ title, children, icon }: EmptyProps) {
  return (
    <div className="flex flex-col items-center justify-center gap-2 px-4 py-10 text-center text-muted">
      {icon}
      <p className="font-medium text-text">{title}</p>
      {children === undefined ? null : <div className="max-w-md">{children}</div>}
    </div>
  );
}

/** Grey lines where the content will be. */
export function Loading({ lines = 3, label = "Loading" }: { lines?: number; label?: string }) {
  return (
    <output aria-label={label} className="flex flex-col gap-2 p-3">
      {Array.from({ length: lines }, (_, line) => (
        <div
          key={line}
          className="h-4 animate-pulse rounded bg-sunken"
          style={{ width: `${90 - line * 12}%` }}
        />
      ))}
    </output>
  );
}

export function Failed({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { message, hint } = errorText(error);
  return (
    <div role="alert" className="flex flex-col items-start gap-2 p-4">
      <p className="font-medium text-bad">{message}</p>
      {hint === undefined ? null : <p className="text-muted">{hint}</p>}
      {onRetry === undefined ? null : <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
