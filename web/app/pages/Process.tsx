// One process: its output, its tree, everything that is known about it, and what can be done with it.
import { Tabs } from "radix-ui";
import { Link, useParams, useSearchParams } from "react-router";
import type { ListedProcess } from "#protocol/control.ts";
import { processes } from "~/api/processes.ts";
import { useUsage } from "~/api/usage.ts";
import { PageHeader } from "~/layouts/PageHeader.tsx";
import { ActionDialogs } from "~/processes/actions/ActionDialogs.tsx";
import { DetailsTab } from "~/processes/detail/DetailsTab.tsx";
import { EnvironmentTab } from "~/processes/detail/EnvironmentTab.tsx";
import { NoticesTab } from "~/processes/detail/NoticesTab.tsx";
import { OutputTab } from "~/processes/detail/OutputTab.tsx";
import { ProcessHeader } from "~/processes/detail/ProcessHeader.tsx";
import { TreeTab } from "~/processes/detail/TreeTab.tsx";
import { useDetail } from "~/processes/detail/use-detail.ts";
import { WatchesTab } from "~/processes/detail/WatchesTab.tsx";
import { Failed, Loading } from "~/ui/States.tsx";
import { path } from "~/util/path.ts";
import { useStore } from "~/util/store.ts";

const tabs = {
  output: "Output",
  tree: "Tree",
  details: "Details",
  environment: "Environment",
  watches: "Watches",
  notices: "Notices",
} as const;
type Tab = keyof typeof tabs;

export function Component() {
  const { id = "" } = useParams();
  const known = useStore(processes)?.get(id);
  const detail = useDetail(id, known);
  // One that the list does not have is asked for: it may be older than the list goes back.
  const process: ListedProcess | undefined = known ?? (detail.error === null ? detail.data : undefined);
  if (process !== undefined) return <ProcessPage key={process.id} process={process} />;
  return (
    <>
      <PageHeader title="Process" />
      {detail.error === null ? (
        <Loading lines={6} label="Loading the process" />
      ) : (
        <>
          <Failed error={detail.error} onRetry={() => void detail.refetch()} />
          <Link className="mx-4 text-accent underline" to={path.processes()}>
            All processes
          </Link>
        </>
      )}
    </>
  );
}

function ProcessPage({ process }: { process: ListedProcess }) {
  const [search, setSearch] = useSearchParams();
  const usage = useUsage().rows.get(process.id);
  const wanted = search.get("tab") ?? "";
  const tab = Object.hasOwn(tabs, wanted) ? (wanted as Tab) : "output"; // just proven
  const choose = (next: string): void => {
    setSearch(next === "output" ? {} : { tab: next }, { replace: true });
  };
  return (
    <div className="flex h-full flex-col">
      <ProcessHeader process={process} usage={usage} />
      <Tabs.Root value={tab} onValueChange={choose} className="flex min-h-0 flex-1 flex-col">
        <Tabs.List
          aria-label="About this process"
          className="flex shrink-0 gap-1 overflow-x-auto border-b border-line px-2 md:px-3"
        >
          {Object.entries(tabs).map(([key, label]) => (
            <Tabs.Trigger
              key={key}
              value={key}
              className="border-b-2 border-transparent px-2 py-1.5 text-sm whitespace-nowrap text-muted -outline-offset-2 hover:text-text data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-text"
            >
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value={tab} className="flex min-h-0 flex-1 flex-col overflow-auto -outline-offset-2">
          <TabBody tab={tab} process={process} outputBytes={usage?.outputBytes ?? 0} />
        </Tabs.Content>
      </Tabs.Root>
      <ActionDialogs />
    </div>
  );
}

interface TabBodyProps {
  readonly tab: Tab;
  readonly process: ListedProcess;
  readonly outputBytes: number;
}

function TabBody({ tab, process, outputBytes }: TabBodyProps) {
  switch (tab) {
    case "output":
      return <OutputTab process={process} outputBytes={outputBytes} />;
    case "tree":
      return <TreeTab process={process} />;
    case "watches":
      return <WatchesTab process={process} />;
    case "notices":
      return <NoticesTab process={process} />;
    default:
      return <Looked tab={tab} process={process} />;
  }
}

function Looked({ tab, process }: { tab: "details" | "environment"; process: ListedProcess }) {
  const detail = useDetail(process.id, process);
  if (detail.error !== null) return <Failed error={detail.error} onRetry={() => void detail.refetch()} />;
  if (detail.data === undefined) return <Loading lines={6} label="Loading details" />;
  return tab === "details" ? <DetailsTab detail={detail.data} /> : <EnvironmentTab detail={detail.data} />;
}
