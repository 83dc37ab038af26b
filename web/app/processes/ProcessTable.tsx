// The table of processes: only the rows in view exist.
import { useCallback, useEffect, useRef, useState } from "react";
import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual";
import type { ListedProcess } from "#protocol/control.ts";
import type { ProcessUsage } from "#protocol/usage.ts";
import { useIsNarrow } from "~/hooks/use-media.ts";
import { narrowRowHeight, ProcessRow, rowHeight } from "~/processes/ProcessRow.tsx";
import type { Sort, SortKey } from "~/processes/sort.ts";
import { headingsHeight, TableHeadings } from "~/processes/TableHeadings.tsx";
import { useRowKeys } from "~/processes/use-row-keys.ts";

export interface ProcessTableProps {
  readonly rows: readonly ListedProcess[];
  readonly usage: ReadonlyMap<string, ProcessUsage>;
  readonly sort: Sort;
  readonly onSort: (key: SortKey) => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void;
  /** Somebody points at the rows, or has a menu open. */
  readonly onHold: (isHeld: boolean) => void;
}

export function ProcessTable({ rows, usage, sort, onSort, selected, onSelect, onHold }: ProcessTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useIsNarrow();
  const height = isNarrow ? narrowRowHeight : rowHeight;
  const [chosen, setActive] = useState<string>();
  const [menu, setMenu] = useState<string>();
  const activeIndex = Math.max(
    0,
    rows.findIndex(({ id }) => id === chosen),
  );
  const virtualizer = useRows(rows, { scroller, height, top: isNarrow ? 0 : headingsHeight, activeIndex });
  const onKeyDown = useRowKeys({
    rows,
    activeIndex,
    scroller,
    rowHeight: height,
    onActivate: setActive,
    onToggle: (id) => onSelect([id], !selected.has(id)),
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: "auto" }),
  });
  const select = useCallback((id: string, isSelected: boolean) => onSelect([id], isSelected), [onSelect]);
  const openMenu = useCallback(
    (id: string | undefined) => {
      setMenu(id);
      onHold(id !== undefined);
    },
    [onHold],
  );
  return (
    <div ref={scroller} className="@container min-h-0 flex-1 overflow-auto bg-surface">
      <table
        // Its rows can be chosen and walked through by keys, which makes it a grid.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
        role="grid"
        aria-label="Processes"
        aria-rowcount={rows.length + 1}
        aria-multiselectable
        onKeyDown={onKeyDown}
        className="block"
      >
        {isNarrow ? null : (
          <thead className="sticky top-0 z-10 block">
            <TableHeadings
              sort={sort}
              onSort={onSort}
              isAllSelected={rows.every(({ id }) => selected.has(id))}
              onSelectAll={(isSelected) => onSelect(idsOf(rows), isSelected)}
            />
          </thead>
        )}
        <tbody
          className="relative block"
          style={{ height: virtualizer.getTotalSize() }}
          onPointerEnter={() => onHold(true)}
          onPointerLeave={() => onHold(menu !== undefined)}
        >
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const process = rows[index];
            return process === undefined ? null : (
              <ProcessRow
                key={process.id}
                process={process}
                usage={usage.get(process.id)}
                index={index}
                top={start - virtualizer.options.scrollMargin}
                isNarrow={isNarrow}
                isActive={index === activeIndex}
                isSelected={selected.has(process.id)}
                isPassing={virtualizer.isScrolling}
                isMenuOpen={menu === process.id}
                onSelect={select}
                onActivate={setActive}
                onMenu={openMenu}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function idsOf(rows: readonly ListedProcess[]): string[] {
  return rows.map(({ id }) => id);
}

interface RowsOptions {
  readonly scroller: React.RefObject<HTMLDivElement | null>;
  readonly height: number;
  /** Of the headings, which stay in place. */
  readonly top: number;
  readonly activeIndex: number;
}

function useRows(rows: readonly ListedProcess[], { scroller, height, top, activeIndex }: RowsOptions) {
  // What it returns is read anew with every render of the table; rows get values, never its functions.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 8,
    scrollMargin: top,
    scrollPaddingStart: top,
    // The row that has the focus stays, wherever one scrolls: without it the keyboard would begin anew.
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), activeIndex])]
        .filter((index) => index < rows.length)
        .toSorted((a, b) => a - b),
  });
  useEffect(() => virtualizer.measure(), [virtualizer, height]);
  return virtualizer;
}
