// The heading of a page and what can be done there.
import type { ReactNode } from "react";
import { useTitle } from "~/hooks/use-title.ts";

export interface PageHeaderProps {
  readonly title: string;
  readonly children?: ReactNode;
}

export function PageHeader({ title, children }: PageHeaderProps) {
  useTitle(title);
  return (
    <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2 md:px-4">
      <h1 className="mr-auto text-base font-semibold">{title}</h1>
      {children}
    </header>
  );
}
