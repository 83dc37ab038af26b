// What runs, what waits for a person, what ended badly, how the machine and the daemon are.
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ListedProcess } from "#protocol/control.ts";
import type { NoticeWithText } from "#protocol/notices.ts";
import { notices } from "~/api/notices.ts";
import { processes } from "~/api/processes.ts";
import { useUsage } from "~/api/usage.ts";
import { PageHeader } from "~/layouts/PageHeader.tsx";
import { Approvals, usePendingApprovals } from "~/overview/Approvals.tsx";
import { DaemonHealth } from "~/overview/DaemonHealth.tsx";
import { DaemonLoad } from "~/overview/DaemonLoad.tsx";
import { MachineLoad } from "~/overview/MachineLoad.tsx";
import { ProcessLines } from "~/overview/ProcessLines.tsx";
import { waitingForInput } from "~/overview/waiting-input.ts";
import { WaitingInput } from "~/overview/WaitingInput.tsx";
import { endedBadly } from "~/processes/filters.ts";
import { Panel } from "~/ui/Panel.tsx";
import { Empty, Loading } from "~/ui/States.tsx";
import { path } from "~/util/path.ts";
import { useStore } from "~/util/store.ts";

const mostLines = 8;

export function Component() {
  const known = useStore(processes);
  const told = useStore(notices);
  const approvals = usePendingApprovals().data?.approvals.length;
  const usage = useUsage();
  const isKnown = known !== undefined && told !== undefined && usage.history.length > 0;
  const waiting = isKnown ? waitingForInput(known, told, usage.rows) : undefined;
  const waits = approvals === undefined || waiting === undefined ? undefined : approvals + waiting.length;
  const all = known === undefined ? undefined : [...known.values()];
  const running = all?.filter(({ state }) => state !== "ended");
  const failed = all?.filter(endedBadly).toSorted(byEnd);
  return (
    <>
      <PageHeader title="Overview" />
      <div className="grid gap-3 px-3 pb-4 md:px-4 lg:grid-cols-2">
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-4 lg:col-span-2">
          <Figure label="Running" value={running?.length} to={path.processes("state=living")} />
          <Figure label="Waits for you" value={waits} to="#waits" isWarning />
          <Figure label="Ended badly" value={failed?.length} to={path.processes("state=failed")} isWarning />
          <Figure label="Unread notices" value={told?.filter(isOwed).length} to={path.notifications()} />
        </div>
        <Panel id="waits" title="Waits for you" className="lg:col-span-2">
          <Approvals />
          <WaitingInput waiting={waiting ?? []} />
          {waits === 0 ? (
            <p className="flex min-h-10 items-center px-3 text-muted">Nothing waits for you.</p>
          ) : null}
        </Panel>
        <List title="Running" processes={running} more={path.processes("state=living")}>
          <Empty title="Nothing runs">
            Start something: <code className="font-mono">holdfast run -d -- COMMAND</code>
          </Empty>
        </List>
        <List title="Ended badly" processes={failed} more={path.processes("state=failed")}>
          <Empty title="Nothing ended badly" />
        </List>
        <Panel title="Machine">
          <MachineLoad />
        </Panel>
        <Panel title="Daemon">
          <DaemonHealth />
          <DaemonLoad />
        </Panel>
      </div>
    </>
  );
}

function isOwed({ state }: NoticeWithText): boolean {
  return state === "pending";
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
  const className = "rounded-lg border border-line bg-surface px-3 py-2 hover:bg-sunken";
  const content = (
    <>
      <p className="text-xs text-muted">{label}</p>
      <p className={`text-2xl leading-8 font-semibold tabular-nums ${isRaised ? "text-bad" : ""}`}>
        {value ?? "–"}
      </p>
    </>
  );
  // A place on this page: only the browser itself scrolls there.
  if (to.startsWith("#"))
    return (
      <a href={to} className={className}>
        {content}
      </a>
    );
  return (
    <Link to={to} className={className}>
      {content}
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
