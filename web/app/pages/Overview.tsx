// What runs, what waits for a person, what ended badly.
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ListedProcess } from "#protocol/control.ts";
import { notices } from "~/api/notices.ts";
import { processes } from "~/api/processes.ts";
import { PageHeader } from "~/layouts/PageHeader.tsx";
import { Approvals, usePendingApprovals } from "~/overview/Approvals.tsx";
import { DaemonHealth } from "~/overview/DaemonHealth.tsx";
import { ProcessLines } from "~/overview/ProcessLines.tsx";
import { Panel } from "~/ui/Panel.tsx";
import { Empty, Loading } from "~/ui/States.tsx";
import { toneOf } from "~/util/exit-text.ts";
import { path } from "~/util/path.ts";
import { useStore } from "~/util/store.ts";

const mostLines = 8;

export function Component() {
  const known = useStore(processes);
  const owed = useStore(notices)?.filter(({ state }) => state === "pending").length;
  const approvals = usePendingApprovals().data?.approvals.length;
  const all = known === undefined ? undefined : [...known.values()];
  const running = all?.filter(({ state }) => state !== "ended");
  const failed = all
    ?.filter((process) => process.state === "ended" && toneOf(process) === "bad")
    .toSorted(byEnd);
  return (
    <>
      <PageHeader title="Overview" />
      <div className="grid gap-3 px-3 pb-4 md:px-4 lg:grid-cols-2">
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-4 lg:col-span-2">
          <Figure label="Running" value={running?.length} to={path.processes()} />
          <Figure label="Need approval" value={approvals} to={path.overview()} isWarning />
          <Figure label="Ended badly" value={failed?.length} to={path.processes("state=failed")} isWarning />
          <Figure label="Unread notices" value={owed} to={path.notifications()} />
        </div>
        {approvals === undefined || approvals === 0 ? null : (
          <Panel title="Waits for you" className="lg:col-span-2">
            <Approvals />
          </Panel>
        )}
        <List title="Running" processes={running} more={path.processes()}>
          <Empty title="Nothing runs">
            Start something: <code className="font-mono">holdfast run -d -- COMMAND</code>
          </Empty>
        </List>
        <List title="Ended badly" processes={failed} more={path.processes("state=failed")}>
          <Empty title="Nothing ended badly" />
        </List>
        <Panel title="Daemon">
          <DaemonHealth />
        </Panel>
      </div>
    </>
  );
}

function byEnd(a: ListedProcess, b: ListedProcess): number {
  return (b.endedAt ?? "").localeCompare(a.endedAt ?? "");
}

interface FigureProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly to: string;
  readonly isWarning?: boolean;
}

function Figure({ label, value, to, isWarning = false }: FigureProps) {
  const isRaised = isWarning && value !== undefined && value > 0;
  return (
    <Link to={to} className="rounded-lg border border-line bg-surface px-3 py-2 hover:bg-sunken">
      <p className="text-xs text-muted">{label}</p>
      <p className={`text-2xl leading-8 font-semibold tabular-nums ${isRaised ? "text-bad" : ""}`}>
        {value ?? "–"}
      </p>
    </Link>
  );
}

interface ListProps {
  readonly title: string;
  readonly processes: readonly ListedProcess[] | undefined;
  readonly more: string;
  readonly children: ReactNode;
}

function List({ title, processes: shown, more, children }: ListProps) {
  return (
    <Panel
      title={title}
      actions={
        <Link className="text-xs text-accent underline" to={more}>
          All
        </Link>
      }
    >
      {shown === undefined ? <Loading lines={4} /> : null}
      {shown?.length === 0 ? children : null}
      {shown === undefined ? null : <ProcessLines processes={shown.slice(0, mostLines)} />}
    </Panel>
  );
}
