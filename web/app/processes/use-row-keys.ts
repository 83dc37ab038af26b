// The keyboard in the table: one row has the focus, arrows move it, Enter opens it, Space selects it.
import { useEffect, useRef, type KeyboardEvent, type RefObject } from "react";
import { useNavigate } from "react-router";
import type { ListedProcess } from "#protocol/control.ts";
import { path } from "~/util/path.ts";

export interface RowKeysOptions {
  readonly rows: readonly ListedProcess[];
  readonly activeIndex: number;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rowHeight: number;
  readonly onActivate: (id: string) => void;
  readonly onToggle: (id: string) => void;
  readonly scrollTo: (index: number) => void;
}

const steps: Readonly<Record<string, (at: number, page: number, last: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at, page) => at + page,
  PageUp: (at, page) => at - page,
  Home: () => 0,
  End: (_at, _page, last) => last,
};

export function useRowKeys(options: RowKeysOptions): (event: KeyboardEvent) => void {
  const { rows, activeIndex, scroller, rowHeight, onActivate, onToggle, scrollTo } = options;
  const navigate = useNavigate();
  const wantsFocus = useRef<string>(undefined);
  useEffect(() => {
    if (wantsFocus.current === undefined) return;
    // It may have come into being only now.
    const row = scroller.current?.querySelector<HTMLElement>(`[data-id="${wantsFocus.current}"]`);
    wantsFocus.current = undefined;
    row?.focus({ preventScroll: true });
  });
  const go = (wanted: number): void => {
    const index = Math.min(rows.length - 1, Math.max(0, wanted));
    const id = rows[index]?.id;
    if (id === undefined) return;
    wantsFocus.current = id;
    onActivate(id);
    scrollTo(index);
  };
  return (event) => {
    // Inside a row the keys belong to what has the focus there.
    if (!(event.target instanceof HTMLTableRowElement)) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
    const next = steps[event.key]?.(activeIndex, page, rows.length - 1);
    const active = rows[activeIndex];
    if (next !== undefined) go(next);
    else if (event.key === "Enter" && active !== undefined) void navigate(path.process(active.id));
    else if (event.key === " " && active !== undefined) onToggle(active.id);
    else return;
    event.preventDefault();
  };
}
