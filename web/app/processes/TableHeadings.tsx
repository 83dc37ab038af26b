// The headings of the table; a click sorts.
import { ArrowDown, ArrowUp } from "lucide-react";
import { columnsClass, wideOnly } from "~/processes/ProcessRow.tsx";
import type { Sort, SortKey } from "~/processes/sort.ts";

export const headingsHeight = 32;

interface Heading {
  readonly key: SortKey | undefined;
  readonly label: string;
  readonly className?: string;
}

const headings: readonly Heading[] = [
  { key: "state", label: "State" },
  { key: "process", label: "Process" },
  { key: "owner", label: "Owner", className: wideOnly },
  { key: "since", label: "Since" },
  { key: "cpu", label: "CPU", className: "md:text-right pr-2" },
  { key: "memory", label: "Memory", className: "md:text-right pr-2" },
  { key: "rate", label: "Output", className: `${wideOnly} md:text-right pr-2` },
  { key: undefined, label: "Last line", className: `${wideOnly} pl-2` },
];

export interface TableHeadingsProps {
  readonly sort: Sort;
  readonly onSort: (key: SortKey) => void;
  readonly isAllSelected: boolean;
  readonly onSelectAll: (isSelected: boolean) => void;
}

export function TableHeadings({ sort, onSort, isAllSelected, onSelectAll }: TableHeadingsProps) {
  return (
    <tr
      aria-rowindex={1}
      style={{ height: headingsHeight }}
      className={`items-center border-b border-line bg-surface px-1 text-xs font-medium text-muted ${columnsClass}`}
    >
      <th scope="col" className="flex justify-center">
        <input
          type="checkbox"
          aria-label="Select all that are shown"
          checked={isAllSelected}
          onChange={({ target }) => onSelectAll(target.checked)}
          className="size-4"
        />
      </th>
      {headings.map(({ key, label, className = "" }) => (
        <th
          key={label}
          scope="col"
          aria-sort={sort.key === key ? (sort.isDescending ? "descending" : "ascending") : "none"}
          className={`text-left font-medium ${className}`}
        >
          {key === undefined ? (
            label
          ) : (
            <button
              type="button"
              onClick={() => onSort(key)}
              className="inline-flex items-center gap-1 rounded hover:text-text"
            >
              {label}
              {sort.key === key ? <Direction isDescending={sort.isDescending} /> : null}
            </button>
          )}
        </th>
      ))}
      <th scope="col">
        <span className="sr-only">Actions</span>
      </th>
    </tr>
  );
}

function Direction({ isDescending }: { isDescending: boolean }) {
  const Arrow = isDescending ? ArrowDown : ArrowUp;
  return <Arrow size={12} aria-hidden />;
}
