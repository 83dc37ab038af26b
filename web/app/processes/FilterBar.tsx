// What the table shows; every field is a part of the page's address.
import { useId } from "react";
import { Search, X } from "lucide-react";
import type { ListedProcess } from "#protocol/control.ts";
import { hasFilters, noFilters, stateChoices, type ProcessFilters } from "~/processes/filters.ts";
import { Button } from "~/ui/Button.tsx";
import { Field } from "~/ui/Field.tsx";
import { Select } from "~/ui/Select.tsx";

const mostSuggestions = 50;

export interface FilterBarProps {
  readonly filters: ProcessFilters;
  readonly onChange: (filters: ProcessFilters) => void;
  readonly processes: Iterable<ListedProcess>;
}

function suggestionsOf(
  processes: Iterable<ListedProcess>,
  texts: (process: ListedProcess) => string[],
): string[] {
  const found = new Set<string>();
  for (const process of processes) {
    for (const text of texts(process)) found.add(text);
    if (found.size >= mostSuggestions) break;
  }
  return [...found].toSorted();
}

export function FilterBar({ filters, onChange, processes }: FilterBarProps) {
  const change = (part: Partial<ProcessFilters>): void => onChange({ ...filters, ...part });
  const sessionList = useId();
  const labelList = useId();
  return (
    <search className="flex flex-wrap items-end gap-2 border-b border-line px-3 pb-2 md:px-4">
      <Field
        type="search"
        label="Search command, name, id, directory"
        isLabelHidden
        placeholder="Search"
        icon={<Search size={14} aria-hidden />}
        value={filters.text}
        onChange={(text) => change({ text })}
        className="w-full md:w-64"
      />
      <Select
        label="State"
        isLabelHidden
        value={filters.state}
        choices={stateChoices}
        onChange={(state) => change({ state })}
        className="w-32"
      />
      <Field
        label="Session"
        isLabelHidden
        placeholder="Session"
        list={sessionList}
        value={filters.session}
        onChange={(session) => change({ session })}
        className="min-w-24 flex-1 md:w-40 md:flex-none"
      />
      <Field
        label="Label, as key or key=value"
        isLabelHidden
        placeholder="Label"
        list={labelList}
        value={filters.label}
        onChange={(label) => change({ label })}
        className="min-w-20 flex-1 md:w-40 md:flex-none"
      />
      <Options
        id={sessionList}
        texts={suggestionsOf(processes, ({ owner }) => (owner.session === undefined ? [] : [owner.session]))}
      />
      <Options
        id={labelList}
        texts={suggestionsOf(processes, ({ labels }) =>
          Object.entries(labels).map(([key, value]) => `${key}=${value}`),
        )}
      />
      <Button
        kind="ghost"
        aria-label="Clear filters"
        disabledReason={hasFilters(filters) ? undefined : "Nothing is filtered"}
        icon={<X size={14} aria-hidden />}
        onClick={() => onChange(noFilters)}
      />
    </search>
  );
}

function Options({ id, texts }: { id: string; texts: readonly string[] }) {
  return (
    <datalist id={id}>
      {texts.map((text) => (
        <option key={text} value={text}>
          {text}
        </option>
      ))}
    </datalist>
  );
}
