// The head of a process's page: what it is, how it is, what can be done.
import { ArrowLeft, EllipsisVertical, Square, SquareTerminal, Zap } from "lucide-react";
import { Link, useNavigate } from "react-router";
import type { ListedProcess } from "#protocol/control.ts";
import type { ProcessUsage } from "#protocol/usage.ts";
import { useRoleReason } from "~/api/me.ts";
import { useNow } from "~/hooks/use-now.ts";
import { useTitle } from "~/hooks/use-title.ts";
import { askFor } from "~/processes/actions/action-request.ts";
import { useProcessMenu, useSignalEntries } from "~/processes/actions/process-menu.tsx";
import { disabledReason } from "~/processes/disabled-reason.ts";
import { titleOf } from "~/processes/process-text.ts";
import { ownerOf, sinceOf } from "~/processes/sort.ts";
import { Badge } from "~/ui/Badge.tsx";
import { Button } from "~/ui/Button.tsx";
import { Menu } from "~/ui/Menu.tsx";
import { exitText, toneOf } from "~/util/exit-text.ts";
import { formatBytes, formatDuration, formatPercent, formatSince, formatTime } from "~/util/format.ts";
import { path } from "~/util/path.ts";

const iconSize = 15;

export interface ProcessHeaderProps {
  readonly process: ListedProcess;
  readonly usage: ProcessUsage | undefined;
}

export function ProcessHeader({ process, usage }: ProcessHeaderProps) {
  useTitle(titleOf(process));
  return (
    <header className="flex flex-col gap-1 px-3 pt-2 pb-1 md:px-4">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to={path.processes()}
          aria-label="All processes"
          className="rounded p-1 text-muted hover:bg-sunken hover:text-text"
        >
          <ArrowLeft size={16} aria-hidden />
        </Link>
        <h1 className="min-w-0 flex-1 truncate text-base font-semibold" title={process.command}>
          {titleOf(process)}
        </h1>
        <output aria-label="State" className="flex max-w-full min-w-0">
          <Badge tone={toneOf(process)}>{exitText(process)}</Badge>
        </output>
        <Actions process={process} />
      </div>
      {process.name === null ? null : (
        <p className="truncate font-mono text-xs text-muted" title={process.command}>
          {process.command}
        </p>
      )}
      <Summary process={process} usage={usage} />
    </header>
  );
}

function Actions({ process }: { process: ListedProcess }) {
  const navigate = useNavigate();
  const role = useRoleReason("operator");
  const signals = useSignalEntries(process);
  const menu = useProcessMenu(process, true);
  return (
    <div className="flex gap-1">
      {process.mode === "pty" ? (
        <Button
          icon={<SquareTerminal size={iconSize} aria-hidden />}
          aria-label="Open as terminal"
          onClick={() => void navigate(path.terminal(process.id))}
        >
          <span className="hidden lg:inline">Open as terminal</span>
        </Button>
      ) : null}
      <Button
        kind="danger"
        icon={<Square size={iconSize} aria-hidden />}
        disabledReason={role ?? disabledReason.stop(process)}
        aria-label="Stop"
        onClick={() => askFor({ kind: "stop", processes: [process] })}
      >
        <span className="hidden sm:inline">Stop</span>
      </Button>
      <Menu
        label="Send a signal"
        groups={[signals]}
        trigger={
          <Button
            aria-label="Signal"
            icon={<Zap size={iconSize} aria-hidden />}
            disabledReason={role ?? disabledReason.signal(process)}
          >
            <span className="hidden sm:inline">Signal</span>
          </Button>
        }
      />
      <Menu
        label="More actions"
        groups={menu}
        trigger={
          <Button
            kind="ghost"
            aria-label="More actions"
            icon={<EllipsisVertical size={iconSize} aria-hidden />}
          />
        }
      />
    </div>
  );
}

function durationOf({ startedAt, endedAt, uptimeMs }: ListedProcess, nowMs: number): number {
  if (startedAt === null) return 0;
  return endedAt === null ? Math.max(0, nowMs - Date.parse(startedAt)) : uptimeMs;
}

function Summary({ process, usage }: ProcessHeaderProps) {
  const now = useNow();
  const isLiving = process.state !== "ended";
  const since = sinceOf(process);
  const figure = (value: number | null | undefined, format: (value: number) => string): string =>
    value === null || value === undefined ? "–" : format(value);
  const facts: (readonly [string, string, string?])[] = [
    ["Directory", process.cwd],
    ["Owner", ownerOf(process) || "nobody"],
    [isLiving ? "Started" : "Ended", formatSince(since, now), formatTime(since)],
    [isLiving ? "Runs for" : "Ran for", formatDuration(durationOf(process, now))],
    ["PID", process.pid === null ? "–" : String(process.pid)],
    ...(isLiving
      ? ([
          ["CPU", figure(usage?.cpu, formatPercent)],
          ["Memory", figure(usage?.memoryBytes, formatBytes)],
          ["Processes", figure(usage?.processes, String)],
        ] as const)
      : []),
    ["Output", formatBytes(Math.max(process.outputBytes, usage?.outputBytes ?? 0))],
  ];
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-0.5 text-xs">
      {facts.map(([name, value, title = value]) => (
        <div key={name} className="flex max-w-full min-w-0 gap-1">
          <dt className="shrink-0 text-muted">{name}</dt>
          <dd className="truncate tabular-nums" title={title}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
