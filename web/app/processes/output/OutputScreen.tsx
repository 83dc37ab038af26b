// The lines in view, on a page that is as long as the log.
import type { ReactNode, RefObject } from "react";
import { shownTheme } from "~/hooks/use-theme.ts";
import { ansiVariables } from "~/processes/output/ansi-variables.ts";
import { holdsOffset, rowPx, type LogItem } from "~/processes/output/log-layout.ts";
import { OutputLine } from "~/processes/output/OutputLine.tsx";
import type { LogView } from "~/processes/output/use-log-view.ts";
import { formatBytes } from "~/util/format.ts";
import { useStore } from "~/util/store.ts";

export interface OutputScreenProps {
  readonly frame: RefObject<HTMLDivElement | null>;
  /** Gets a known number of characters in the font of the output. */
  readonly probe: RefObject<HTMLSpanElement | null>;
  readonly view: LogView;
  /** Undefined: lines are not wrapped. */
  readonly columns: number | undefined;
  readonly hasTimes: boolean;
  /** The offset one has jumped to: the line that holds it is marked. */
  readonly target: number | undefined;
  readonly marked: string;
  /** Instead of lines. */
  readonly children: ReactNode;
}

const keysUp: ReadonlySet<string> = new Set(["ArrowUp", "PageUp", "Home"]);

export function OutputScreen(props: OutputScreenProps) {
  const { frame, probe, view, columns, hasTimes, target, marked, children } = props;
  const { scroller, layout, items, onScroll, leaveEnd } = view;
  const theme = useStore(shownTheme);
  return (
    <div ref={frame} className="relative min-h-0 flex-1" style={ansiVariables(theme)}>
      <span
        ref={probe}
        aria-hidden
        className="pointer-events-none invisible absolute font-mono text-xs whitespace-pre"
      >
        {"0".repeat(100)}
      </span>
      {/* It only hears that it is being scrolled. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <section
        ref={scroller}
        aria-label="Output of the process"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is scrolled by keys
        tabIndex={0}
        onScroll={onScroll}
        onWheel={({ deltaY }) => (deltaY < 0 ? leaveEnd() : undefined)}
        onTouchMove={leaveEnd}
        // On the bar itself: everything else in there is a part of what is scrolled.
        onPointerDown={(event) => (event.target === event.currentTarget ? leaveEnd() : undefined)}
        onKeyDown={({ key }) => (keysUp.has(key) ? leaveEnd() : undefined)}
        className="absolute inset-0 overflow-auto bg-terminal -outline-offset-2"
        // The view keeps its place itself: the browser must not do it too.
        style={{ overflowAnchor: "none" }}
      >
        <div
          className="relative min-w-max overflow-y-clip font-mono text-xs"
          style={{ height: layout.heightPx, lineHeight: `${rowPx}px` }}
        >
          <div style={{ transform: `translateY(${(items[0]?.row ?? 0) * rowPx}px)` }}>
            {items.map((item) => (
              <Item
                key={keyOf(item)}
                item={item}
                columns={columns}
                hasTime={hasTimes}
                isTarget={target !== undefined && holdsOffset(item, target)}
                marked={marked}
              />
            ))}
          </div>
        </div>
        {children}
      </section>
    </div>
  );
}

function keyOf(item: LogItem): string {
  if (item.kind === "line") return `l${item.line.offset}`;
  return item.kind === "gap" ? `g${item.gap.from}` : `u${item.from}`;
}

interface ItemProps {
  readonly item: LogItem;
  readonly columns: number | undefined;
  readonly hasTime: boolean;
  readonly isTarget: boolean;
  readonly marked: string;
}

function Item({ item, columns, hasTime, isTarget, marked }: ItemProps) {
  const height = item.rows * rowPx;
  if (item.kind === "line") {
    const { line, style, rows } = item;
    return <OutputLine {...{ line, style, rows, columns, hasTime, isTarget, marked }} />;
  }
  if (item.kind === "unread") {
    return (
      <div style={{ height }} className="px-3 text-muted">
        Reading…
      </div>
    );
  }
  return (
    <div
      style={{ height }}
      className="flex items-center justify-center border-y border-dashed border-line-strong bg-sunken font-sans text-muted"
    >
      {formatBytes(item.gap.to - item.gap.from)} of output are no longer kept here
    </div>
  );
}
