// All processes, live.
import { useCallback, useMemo, useState } from "react";
import { ListTree, Square, Trash2 } from "lucide-react";
import { useSearchParams } from "react-router";
import { useRoleReason } from "~/api/me.ts";
import { processes, type ProcessMap } from "~/api/processes.ts";
import { currentUsage, useUsage } from "~/api/usage.ts";
import type { Usage } from "~/api/usage-state.ts";
import { PageHeader } from "~/layouts/PageHeader.tsx";
import { askFor } from "~/processes/actions/action-request.ts";
import { ActionDialogs } from "~/processes/actions/ActionDialogs.tsx";
import { disabledReason } from "~/processes/disabled-reason.ts";
import { FilterBar } from "~/processes/FilterBar.tsx";
import { hasFilters, noFilters, writeFilters } from "~/processes/filters.ts";
import { ProcessTable } from "~/processes/ProcessTable.tsx";
import { readSort, sortAfterClick, writeSort, type SortKey } from "~/processes/sort.ts";
import { useFilters } from "~/processes/use-filters.ts";
import { useProcessRows } from "~/processes/use-process-rows.ts";
import { Button } from "~/ui/Button.tsx";
import { Empty, Loading } from "~/ui/States.tsx";
import { useStore } from "~/util/store.ts";

const none: ProcessMap = new Map();

export function Component() {
  const known = useStore(processes);
  const usage = useUsage();
  const [search, setSearch] = useSearchParams();
  const [filters, setFilters] = useFilters();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // The order by a live figure holds still while somebody points at a row: nobody should hit another one than they aimed at.
  const [held, setHeld] = useState<Usage["rows"]>();
  const hold = useCallback((isHeld: boolean) => setHeld(isHeld ? currentUsage().rows : undefined), []);
  const sort = useMemo(() => readSort(search), [search]);
  const rows = useProcessRows({ known: known ?? none, usage: held ?? usage.rows, filters, sort });
  const select = useCallback((ids: readonly string[], isSelected: boolean) => {
    setSelected((before) => {
      const after = new Set(before);
      for (const id of ids) {
        if (isSelected) after.add(id);
        else after.delete(id);
      }
      return after;
    });
  }, []);
  const onSort = useCallback(
    (key: SortKey) => {
      // What was typed may not be in the address yet.
      const next = writeFilters(search, filters);
      setSearch(writeSort(next, sortAfterClick(readSort(next), key)), { replace: true });
    },
    [search, setSearch, filters],
  );
  const chosen = rows.filter(({ id }) => selected.has(id));
  return (
    <div className="flex h-full flex-col">
      <PageHeader title="Processes">
        <BulkActions chosen={chosen} shown={known === undefined ? undefined : rows.length} />
      </PageHeader>
      <FilterBar filters={filters} onChange={setFilters} processes={(known ?? none).values()} />
      {known === undefined ? <Loading lines={8} label="Loading processes" /> : null}
      {known !== undefined && rows.length === 0 ? (
        <Nothing isFiltered={hasFilters(filters)} onClear={() => setFilters(noFilters)} />
      ) : null}
      {rows.length === 0 ? null : (
        <ProcessTable
          rows={rows}
          usage={usage.rows}
          sort={sort}
          onSort={onSort}
          selected={selected}
          onSelect={select}
          onHold={hold}
        />
      )}
      <ActionDialogs />
    </div>
  );
}

interface BulkActionsProps {
  readonly chosen: Parameters<typeof disabledReason.stopAny>[0];
  readonly shown: number | undefined;
}

function BulkActions({ chosen, shown }: BulkActionsProps) {
  const role = useRoleReason("operator");
  return (
    <>
      <p aria-live="polite" className="text-xs text-muted tabular-nums">
        {chosen.length > 0 ? `${chosen.length} of ${shown ?? 0} selected` : `${shown ?? "–"} shown`}
      </p>
      <Button
        kind="danger"
        icon={<Square size={14} aria-hidden />}
        disabledReason={role ?? disabledReason.stopAny(chosen)}
        onClick={() => askFor({ kind: "stop", processes: chosen })}
      >
        Stop
      </Button>
      <Button
        icon={<Trash2 size={14} aria-hidden />}
        disabledReason={role ?? disabledReason.removeAny(chosen)}
        onClick={() => askFor({ kind: "remove", processes: chosen })}
      >
        Remove
      </Button>
    </>
  );
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const icon = <ListTree size={28} aria-hidden />;
  return isFiltered ? (
    <Empty title="No process fits" icon={icon}>
      <Button onClick={onClear}>Clear filters</Button>
    </Empty>
  ) : (
    <Empty title="No processes yet" icon={icon}>
      Start one: <code className="font-mono">holdfast run -d -- COMMAND</code>
    </Empty>
  );
}
