// Terminals in tabs and splits.
import { useEffect } from "react";
import { SquareTerminal } from "lucide-react";
import { useSearchParams } from "react-router";
import { processes } from "~/api/processes.ts";
import { PageHeader } from "~/layouts/PageHeader.tsx";
import { ActionDialogs } from "~/processes/actions/ActionDialogs.tsx";
import { LinkDialog } from "~/terminal/LinkDialog.tsx";
import { NewTerminalDialog, requestTerminal } from "~/terminal/NewTerminalDialog.tsx";
import { layout, loadLayout, openPane } from "~/terminal/open-terminals.ts";
import { Pane } from "~/terminal/Pane.tsx";
import { SettingsMenu } from "~/terminal/SettingsMenu.tsx";
import { TabStrip } from "~/terminal/TabStrip.tsx";
import { Button } from "~/ui/Button.tsx";
import { Empty } from "~/ui/States.tsx";
import { useStore } from "~/util/store.ts";

loadLayout();

export function Component() {
  const shown = useStore(layout);
  const known = useStore(processes);
  const [search, setSearch] = useSearchParams();
  const wanted = search.get("open");
  useEffect(() => {
    if (wanted === null) return;
    openPane(wanted, { keyboard: false });
    // Once: a reload shows what is open then.
    setSearch({}, { replace: true });
  }, [wanted, setSearch]);
  return (
    <div className="flex h-full flex-col">
      <PageHeader title="Terminals">
        <SettingsMenu />
      </PageHeader>
      <TabStrip layout={shown} known={known} />
      {shown.tabs.length === 0 ? (
        <Empty title="No terminal is open" icon={<SquareTerminal size={28} aria-hidden />}>
          <p className="mb-3">
            A terminal goes on when you close its tab, reload the page or restart the daemon.
          </p>
          <Button kind="primary" onClick={() => requestTerminal()}>
            New terminal
          </Button>
        </Empty>
      ) : null}
      {shown.tabs.map((tab) => (
        <div
          key={tab.key}
          role="tabpanel"
          hidden={tab.key !== shown.active}
          className={`min-h-0 flex-1 gap-px bg-line ${tab.direction === "row" ? "flex-col md:flex-row" : "flex-col"} ${tab.key === shown.active ? "flex" : ""}`}
        >
          {tab.panes.map((id, index) => (
            <Pane
              key={id}
              id={id}
              isShown={tab.key === shown.active}
              isActive={index === tab.panes.length - 1}
            />
          ))}
        </div>
      ))}
      <NewTerminalDialog />
      <LinkDialog />
      <ActionDialogs />
    </div>
  );
}
