// Names and values, in as many columns as fit.
import type { ReactNode } from "react";

/** Without a value it is left out; a wide one has a row for itself. */
export type Fact = readonly [name: string, value: ReactNode, width?: "wide"];

export function Facts({ facts }: { facts: readonly Fact[] }) {
  const shown = facts.filter(([, value]) => value !== undefined && value !== null && value !== "");
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-x-6 gap-y-1.5 p-3">
      {shown.map(([name, value, width]) => (
        <div
          key={name}
          className={`grid min-w-0 grid-cols-[8rem_minmax(0,1fr)] gap-2 ${width === "wide" ? "col-span-full" : ""}`}
        >
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
