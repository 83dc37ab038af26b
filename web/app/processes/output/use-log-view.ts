// Where one stands in a log, and what of it is in view. Lines that come, pages that are read and windows that change their size leave the
// text one looks at where it is; at the end one stays at the end.
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from "react";
import type { LogDocument } from "~/processes/output/log-document.ts";
import {
  columnOfOffset,
  holdsOffset,
  itemsBetween,
  layoutOf,
  offsetOfRow,
  rowOfOffset,
  rowPx,
  type LogItem,
  type LogLayout,
} from "~/processes/output/log-layout.ts";
import { useStore } from "~/util/store.ts";

export interface LogView {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly layout: LogLayout;
  readonly items: readonly LogItem[];
  readonly isFollowing: boolean;
  /** Of the first line in view. */
  readonly offset: number;
  readonly onScroll: () => void;
  /** To the end, and stay there. */
  readonly follow: () => void;
  /** A person is about to leave the end. */
  readonly leaveEnd: () => void;
  readonly jump: (offset: number) => void;
}

export interface LogViewOptions {
  /** Undefined: lines are not wrapped. */
  readonly columns: number | undefined;
  readonly heightPx: number;
  readonly characterPx: number;
  /** The offset to begin at; undefined: the end. */
  readonly begin: number | undefined;
}

/** What stays where it is. */
interface Anchor {
  readonly offset: number;
  readonly deltaPx: number;
  /** Where that was when a person scrolled there; undefined: the view was put there. */
  readonly scrolledPx: number | undefined;
}

/** The offset the log is laid out around; a new object each time, because one may go to the same place twice. */
interface Around {
  readonly offset: number;
  /** The view goes there. */
  readonly isJump: boolean;
}

const overscanRows = 20;
const theEnd = Number.MAX_SAFE_INTEGER;

export function useLogView(document: LogDocument, options: LogViewOptions): LogView {
  const { columns, heightPx, characterPx, begin } = options;
  const { spans, pages } = useStore(document.state);
  const [around, setAround] = useState<Around>({ offset: begin ?? theEnd, isJump: begin !== undefined });
  const [isFollowing, setFollowing] = useState(begin === undefined);
  const layout = useMemo(
    () => layoutOf({ spans, pages }, columns, around.offset),
    [spans, pages, columns, around],
  );
  const { scroller, topPx, onScroll } = useScroller(layout, {
    heightPx,
    around,
    isFollowing,
    onEnd: () => setFollowing(true),
    onEdge: (offset) => setAround({ offset, isJump: false }),
  });
  const fromRow = Math.floor(topPx / rowPx);
  const toRow = fromRow + Math.ceil(heightPx / rowPx);
  const items = useMemo(
    () => itemsBetween(layout, fromRow - overscanRows, toRow + overscanRows),
    [layout, fromRow, toRow],
  );
  useSideways(scroller, { layout, items, around, characterPx });
  useEffect(() => {
    // A screen before and behind is read ahead.
    const screen = toRow - fromRow;
    document.want(pagesBetween(layout, fromRow - screen, toRow + screen));
  }, [document, layout, fromRow, toRow]);
  const follow = useCallback(() => {
    setAround({ offset: theEnd, isJump: false });
    setFollowing(true);
  }, []);
  const leaveEnd = useCallback(() => {
    const element = scroller.current;
    // What is all in view has no other place to be.
    if (element !== null && element.scrollHeight > element.clientHeight) setFollowing(false);
  }, [scroller]);
  const jump = useCallback((offset: number) => {
    setAround({ offset, isJump: true });
    setFollowing(false);
  }, []);
  const offset = useMemo(() => offsetOfRow(layout, fromRow), [layout, fromRow]);
  return { scroller, layout, items, isFollowing, offset, onScroll, follow, leaveEnd, jump };
}

interface ScrollerOptions {
  readonly heightPx: number;
  readonly around: Around;
  readonly isFollowing: boolean;
  /** A person scrolled to the end. */
  readonly onEnd: () => void;
  /** The end of what is laid out comes near, and there is more of the log behind it. */
  readonly onEdge: (offset: number) => void;
}

function anchorAt(layout: LogLayout, topPx: number): Anchor {
  const offset = offsetOfRow(layout, Math.floor(topPx / rowPx));
  return { offset, deltaPx: topPx - rowOfOffset(layout, offset) * rowPx, scrolledPx: topPx };
}

/** Moves the view only by as much as the text has moved: a scroll that is under way goes on. */
function keepPlace(element: HTMLElement, layout: LogLayout, anchor: Anchor): Anchor {
  const wantedPx = rowOfOffset(layout, anchor.offset) * rowPx + anchor.deltaPx;
  if (anchor.scrolledPx === undefined) element.scrollTop = wantedPx;
  else if (wantedPx !== anchor.scrolledPx) element.scrollTop += wantedPx - anchor.scrolledPx;
  return { ...anchor, scrolledPx: anchor.scrolledPx === undefined ? undefined : wantedPx };
}

/** Puts the view where it belongs whenever the layout changed, and hears when a person moves it. */
function useScroller(
  layout: LogLayout,
  { heightPx, around, isFollowing, onEnd, onEdge }: ScrollerOptions,
): { scroller: RefObject<HTMLDivElement | null>; topPx: number; onScroll: () => void } {
  const scroller = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor>({ offset: 0, deltaPx: 0, scrolledPx: undefined });
  const seen = useRef<Around>(undefined);
  const placedPx = useRef(-1);
  const [topPx, setTopPx] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    // A third of the way down: what came before is worth seeing too.
    if (around !== seen.current && around.isJump)
      anchor.current = { offset: around.offset, deltaPx: -heightPx / 3, scrolledPx: undefined };
    seen.current = around;
    if (isFollowing) {
      element.scrollTop = layout.heightPx - heightPx;
      // Whoever leaves the end stays where it was.
      anchor.current = anchorAt(layout, element.scrollTop);
    } else anchor.current = keepPlace(element, layout, anchor.current);
    placedPx.current = element.scrollTop;
    setTopPx(element.scrollTop);
  }, [layout, isFollowing, heightPx, around]);
  const onScroll = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const top = element.scrollTop;
    setTopPx(top);
    // Our own doing, or that of a log that grows under the view: who leaves the end says so by wheel, key or touch.
    if (isFollowing || Math.abs(top - placedPx.current) < 1) return;
    placedPx.current = -1;
    anchor.current = anchorAt(layout, top);
    const bottom = top + element.clientHeight;
    const hasMore = layout.first + layout.starts.length - 1 < layout.spans.length;
    if (!hasMore && bottom >= element.scrollHeight - rowPx) onEnd();
    const isNearEdge =
      (top < layout.heightPx / 10 && layout.first > 0) || (bottom > layout.heightPx * 0.9 && hasMore);
    if (isNearEdge) onEdge(anchor.current.offset);
  };
  return { scroller, topPx, onScroll };
}

interface SidewaysOptions extends Pick<LogView, "layout" | "items"> {
  readonly around: Around;
  readonly characterPx: number;
}

/** To what one jumped to in a line that is longer than the view is wide, as soon as that line is there. */
function useSideways(scroller: RefObject<HTMLDivElement | null>, options: SidewaysOptions): void {
  const { layout, items, around, characterPx } = options;
  const done = useRef<Around>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    const { offset, isJump } = around;
    if (element === null || !isJump || done.current === around) return;
    const isShown = items.some((item) => holdsOffset(item, offset));
    const column = isShown ? columnOfOffset(layout, offset) : undefined;
    if (column === undefined) return;
    done.current = around;
    const leftPx = column * characterPx;
    element.scrollTo({ left: leftPx < element.clientWidth / 2 ? 0 : leftPx - element.clientWidth / 3 });
  }, [scroller, layout, items, around, characterPx]);
}

function pagesBetween({ spans, first, starts }: LogLayout, fromRow: number, toRow: number): number[] {
  const froms: number[] = [];
  for (let at = 0; at < starts.length - 1; at += 1) {
    const span = spans[first + at];
    if ((starts[at] ?? 0) > toRow) break;
    if (span?.kind === "page" && (starts[at + 1] ?? 0) >= fromRow) froms.push(span.from);
  }
  return froms;
}
