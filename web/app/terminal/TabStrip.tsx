// The open tabs. Arrow keys walk along them, as in every list of tabs; a click, Enter or Space goes into the terminal.
import type { KeyboardEvent } from "react";
import { Plus } from "lucide-react";
import { flushSync } from "react-dom";
import type { ProcessMap } from "~/api/processes.ts";
import { showTab, stepTab, type Layout, type Tab } from "~/terminal/layout-state.ts";
import { requestTerminal } from "~/terminal/NewTerminalDialog.tsx";
import { changeLayout, focusTerminal } from "~/terminal/open-terminals.ts";
import { Button } from "~/ui/Button.tsx";

function tabLabel({ panes }: Tab, known: ProcessMap | undefined): string {
  const [first = ""] = panes;
  const process = known?.get(first);
  const label = process?.name ?? process?.command ?? first;
  return panes.length > 1 ? `${label} +${panes.length - 1}` : label;
}

export function TabStrip({ layout, known }: { layout: Layout; known: ProcessMap | undefined }) {
  const walk = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    const next = stepTab(layout, event.key === "ArrowLeft" ? -1 : 1);
    const index = next.tabs.findIndex(({ key }) => key === next.active);
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[index]?.focus();
    changeLayout(next);
  };
  const enter = ({ key, panes }: Tab): void => {
    // What is hidden takes no focus.
    flushSync(() => changeLayout(showTab(layout, key)));
    focusTerminal(panes.at(-1));
  };
  return (
    <div className="flex min-h-9 items-stretch gap-1 border-b border-line bg-sunken px-1 pt-1">
      <div
        role="tablist"
        aria-label="Open terminals"
        tabIndex={-1}
        className="flex min-w-0 flex-1 gap-1 overflow-x-auto"
        onKeyDown={walk}
      >
        {layout.tabs.map((tab) => {
          const isActive = tab.key === layout.active;
          return (
            <button
              key={tab.key}
              type="button"
              role="tab"
              aria-selected={isActive}
              tabIndex={isActive ? 0 : -1}
              ref={(element) =>
                isActive ? element?.scrollIntoView({ block: "nearest", inline: "nearest" }) : undefined
              }
              onClick={() => enter(tab)}
              className={`max-w-48 min-w-24 truncate rounded-t-md border border-b-0 px-2 py-1 text-left text-xs ${isActive ? "border-line bg-surface font-medium" : "border-transparent text-muted hover:bg-surface"}`}
            >
              {tabLabel(tab, known)}
            </button>
          );
        })}
      </div>
      <Button
        kind="ghost"
        aria-label="New terminal"
        title="New terminal"
        onClick={() => requestTerminal()}
        icon={<Plus size={16} aria-hidden />}
      />
    </div>
  );
}
