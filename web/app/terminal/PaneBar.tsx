// The bar above a pane. What it shows follows the width of the pane, not of the window: up to six stand side by side. A narrow one has its
// facts in a line of their own and its actions in a menu; the view can always be closed.
import type { ReactNode } from "react";
import { EllipsisVertical, SplitSquareHorizontal, SplitSquareVertical, X } from "lucide-react";
import { Link } from "react-router";
import { closePane } from "~/terminal/layout-state.ts";
import { requestTerminal } from "~/terminal/NewTerminalDialog.tsx";
import { changeLayout, layout } from "~/terminal/open-terminals.ts";
import { Button } from "~/ui/Button.tsx";
import { Menu, type MenuEntry } from "~/ui/Menu.tsx";
import { path } from "~/util/path.ts";

const iconSize = 15;

export interface PaneAction extends MenuEntry {
  /** That do the same. */
  readonly keys?: string;
}

export const splitActions: readonly PaneAction[] = [
  {
    label: "Split right",
    icon: <SplitSquareHorizontal size={iconSize} aria-hidden />,
    onSelect: () => requestTerminal({ split: "row" }),
  },
  {
    label: "Split below",
    icon: <SplitSquareVertical size={iconSize} aria-hidden />,
    onSelect: () => requestTerminal({ split: "column" }),
  },
];

export interface PaneBarProps {
  readonly id: string;
  /** May come from the program: it is text, and cut. */
  readonly title: string;
  readonly facts: ReactNode;
  /** Before the actions, in every width. */
  readonly children?: ReactNode;
  readonly actions: readonly PaneAction[];
}

export function PaneBar({ id, title, facts, children, actions }: PaneBarProps) {
  return (
    <div className="@container border-b border-line bg-surface text-xs">
      <div className="flex min-h-9 flex-wrap items-center gap-x-1 px-2 pt-0.5 @2xl:flex-nowrap @2xl:pt-0">
        <Link
          to={path.process(id)}
          className="min-w-0 flex-1 truncate font-medium hover:underline @2xl:min-w-16 @2xl:flex-initial @2xl:shrink-99"
          title={title}
        >
          {title.slice(0, 120)}
        </Link>
        <div className="order-last flex min-w-0 basis-full items-center gap-2 pb-1 text-muted @2xl:order-none @2xl:flex-1 @2xl:basis-auto @2xl:justify-end @2xl:pb-0">
          {facts}
        </div>
        {children}
        <div className="hidden gap-x-1 @md:flex">
          {actions.map(({ label, keys, icon, disabledReason, onSelect }) => (
            <Button
              key={label}
              kind="ghost"
              aria-label={label}
              title={keys === undefined ? label : `${label} (${keys})`}
              disabledReason={disabledReason}
              onClick={onSelect}
              icon={icon}
            />
          ))}
        </div>
        <div className="flex @md:hidden">
          <Menu
            label="More"
            groups={[actions]}
            trigger={
              <Button
                kind="ghost"
                aria-label="More"
                title="More"
                icon={<EllipsisVertical size={iconSize} aria-hidden />}
              />
            }
          />
        </div>
        <Button
          kind="ghost"
          aria-label="Close view"
          title="Close the view; the process goes on"
          onClick={() => changeLayout(closePane(layout.get(), id))}
          icon={<X size={iconSize} aria-hidden />}
        />
      </div>
    </div>
  );
}
