// One row of the table. Renders again only when its own process or figures changed.
import { memo, useState } from "react";
import { EllipsisVertical } from "lucide-react";
import { Link } from "react-router";
import type { ListedProcess } from "#protocol/control.ts";
import type { ProcessUsage } from "#protocol/usage.ts";
import { useNow } from "~/hooks/use-now.ts";
import { useProcessMenu } from "~/processes/actions/process-menu.tsx";
import { LastLine } from "~/processes/LastLine.tsx";
import { shortState, titleOf } from "~/processes/process-text.ts";
import { ownerOf, sinceOf } from "~/processes/sort.ts";
import { Badge } from "~/ui/Badge.tsx";
import { Menu } from "~/ui/Menu.tsx";
import { exitText, toneOf } from "~/util/exit-text.ts";
import { formatBytes, formatPercent, formatSince, formatTime } from "~/util/format.ts";
import { path } from "~/util/path.ts";

export const rowHeight = 36;
export const narrowRowHeight = 64;

/** The same for the headings: as many columns as are shown at each width of the table. */
export const columnsClass =
  "grid grid-cols-[2rem_7rem_minmax(0,1fr)_5rem_4.5rem_5rem_2.25rem] @4xl:grid-cols-[2rem_7rem_minmax(0,3fr)_7rem_5rem_4.5rem_5rem_5.5rem_minmax(0,2fr)_2.25rem]";
/** Columns that need a wide table. */
export const wideOnly = "hidden @4xl:block";

export interface ProcessRowProps {
  readonly process: ListedProcess;
  readonly usage: ProcessUsage | undefined;
  readonly index: number;
  readonly top: number;
  readonly isNarrow: boolean;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly isPassing: boolean;
  readonly isMenuOpen: boolean;
  readonly onSelect: (id: string, isSelected: boolean) => void;
  readonly onActivate: (id: string) => void;
  readonly onMenu: (id: string | undefined) => void;
}

export const ProcessRow = memo(function ProcessRow(props: ProcessRowProps) {
  const { process, index, top, isNarrow, isActive, isSelected, onActivate } = props;
  return (
    <tr
      // The headings are the first row.
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-id={process.id}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => onActivate(process.id)}
      style={{ transform: `translateY(${top}px)`, height: isNarrow ? narrowRowHeight : rowHeight }}
      className={`absolute inset-x-0 top-0 items-center border-b border-line px-1 -outline-offset-2 ${isNarrow ? "grid grid-cols-[2rem_minmax(0,1fr)_2.5rem]" : columnsClass} ${isSelected ? "bg-accent-soft" : "hover:bg-sunken"}`}
    >
      <Choice {...props} />
      {isNarrow ? <NarrowCells {...props} /> : <WideCells {...props} />}
      <MenuCell {...props} />
    </tr>
  );
});

function Choice({ process, isSelected, isActive, onSelect }: ProcessRowProps) {
  return (
    <td className="flex justify-center">
      <input
        type="checkbox"
        aria-label={`Select ${titleOf(process)}`}
        checked={isSelected}
        tabIndex={isActive ? 0 : -1}
        onChange={({ target }) => onSelect(process.id, target.checked)}
        className="size-4"
      />
    </td>
  );
}

function State({ process }: ProcessRowProps) {
  return (
    <Badge tone={toneOf(process)} title={exitText(process)}>
      {shortState(process)}
    </Badge>
  );
}

function Name({ process, isActive }: ProcessRowProps) {
  const { name, command } = process;
  return (
    <Link
      to={path.process(process.id)}
      tabIndex={isActive ? 0 : -1}
      title={command}
      className="block truncate hover:underline"
    >
      {name === null ? null : <span className="mr-1 font-medium">{`${name} `}</span>}
      <span className={`font-mono text-xs ${name === null ? "" : "text-muted"}`}>{command}</span>
    </Link>
  );
}

function Since({ process }: ProcessRowProps) {
  const now = useNow();
  const at = sinceOf(process);
  return (
    <time dateTime={at} title={formatTime(at)}>
      {formatSince(at, now)}
    </time>
  );
}

/** A dash where there is nothing to tell. */
function Figure({ value, format }: { value: number | null | undefined; format: (value: number) => string }) {
  return <>{value === null || value === undefined ? "–" : format(value)}</>;
}

/** Of what has ended nothing is used any more. */
function livingUsage({ process, usage }: ProcessRowProps): ProcessUsage | undefined {
  return process.state === "ended" ? undefined : usage;
}

function WideCells(props: ProcessRowProps) {
  const { process, usage, isPassing } = props;
  const living = livingUsage(props);
  const number = "truncate pr-2 text-right text-xs tabular-nums text-muted";
  return (
    <>
      <td className="min-w-0 pr-2">
        <State {...props} />
      </td>
      <td className="min-w-0 pr-3">
        <Name {...props} />
      </td>
      <td className={`${wideOnly} truncate pr-2 text-xs text-muted`} title={ownerOf(process)}>
        {ownerOf(process)}
      </td>
      <td className="truncate pr-2 text-xs text-muted">
        <Since {...props} />
      </td>
      <td className={number}>
        <Figure value={living?.cpu} format={formatPercent} />
      </td>
      <td className={number}>
        <Figure value={living?.memoryBytes} format={formatBytes} />
      </td>
      <td className={`${wideOnly} ${number}`}>
        <Figure value={living?.outputRate} format={(rate) => `${formatBytes(rate)}/s`} />
      </td>
      <td className={`${wideOnly} truncate pl-2 font-mono text-xs text-muted`}>
        <LastLine process={process} told={usage?.lastLine} isPassing={isPassing} />
      </td>
    </>
  );
}

function NarrowCells(props: ProcessRowProps) {
  const { process, usage, isPassing } = props;
  const living = livingUsage(props);
  return (
    <td className="flex min-w-0 flex-col gap-1">
      <div className="flex min-w-0 items-center gap-2">
        <State {...props} />
        <div className="min-w-0 flex-1">
          <Name {...props} />
        </div>
      </div>
      <div className="flex min-w-0 items-baseline gap-2 text-xs text-muted">
        <span className="min-w-0 flex-1 truncate font-mono">
          <LastLine process={process} told={usage?.lastLine} isPassing={isPassing} />
        </span>
        {living === undefined ? null : (
          <span className="shrink-0 tabular-nums">
            <Figure value={living.cpu} format={formatPercent} /> ·{" "}
            <Figure value={living.memoryBytes} format={formatBytes} />
          </span>
        )}
        <span className="shrink-0">
          <Since {...props} />
        </span>
      </div>
    </td>
  );
}

/** Most rows have only the button: a thousand menus that nobody opens would cost more than the rows. */
function MenuCell(props: ProcessRowProps) {
  const { process, isActive, isMenuOpen, onMenu } = props;
  // Once opened it stays: with its button the focus would go, which comes back to it when the menu closes.
  const [wasOpened, setWasOpened] = useState(isMenuOpen);
  if (isMenuOpen && !wasOpened) setWasOpened(true);
  const hasMenu = isMenuOpen || wasOpened;
  const button = (
    <button
      type="button"
      aria-label={`Actions for ${titleOf(process)}`}
      aria-haspopup="menu"
      tabIndex={isActive ? 0 : -1}
      className="flex size-8 items-center justify-center rounded-md text-muted hover:bg-line hover:text-text pointer-coarse:size-10"
      {...(hasMenu ? {} : { onClick: () => onMenu(process.id) })}
    >
      <EllipsisVertical size={16} aria-hidden />
    </button>
  );
  return (
    <td className="flex justify-end">
      {hasMenu ? (
        <RowMenu process={process} isMenuOpen={isMenuOpen} trigger={button} onMenu={onMenu} />
      ) : (
        button
      )}
    </td>
  );
}

interface RowMenuProps extends Pick<ProcessRowProps, "process" | "isMenuOpen" | "onMenu"> {
  readonly trigger: React.ReactNode;
}

function RowMenu({ process, isMenuOpen, trigger, onMenu }: RowMenuProps) {
  const groups = useProcessMenu(process, false);
  return (
    <Menu
      open={isMenuOpen}
      label={`Actions for ${titleOf(process)}`}
      trigger={trigger}
      groups={groups}
      onOpenChange={(isOpen) => onMenu(isOpen ? process.id : undefined)}
    />
  );
}
