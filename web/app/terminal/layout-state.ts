// Which terminals are open, in which tabs and splits. Plain data, kept per window; the terminals themselves live in the daemon.

export interface Tab {
  readonly key: string;
  /** Side by side, or one below the other. */
  readonly direction: "row" | "column";
  /** Process ids. */
  readonly panes: readonly string[];
}

export interface Layout {
  readonly tabs: readonly Tab[];
  /** Key of the tab that is shown. */
  readonly active: string | undefined;
}

export const emptyLayout: Layout = { tabs: [], active: undefined };
export const mostPanes = 6;
const mostTabs = 32;

/** A process is shown once: opening it again goes there. */
export function openTab(layout: Layout, id: string): Layout {
  const found = layout.tabs.find(({ panes }) => panes.includes(id));
  if (found !== undefined) return { ...layout, active: found.key };
  const tab: Tab = { key: freeKey(layout, id), direction: "row", panes: [id] };
  return { tabs: [...layout.tabs, tab].slice(-mostTabs), active: tab.key };
}

/** A tab keeps its key when the pane it was opened with has gone from it: the id alone may be taken. */
function freeKey({ tabs }: Layout, id: string): string {
  const taken = new Set(tabs.map(({ key }) => key));
  let key = id;
  for (let count = 2; taken.has(key); count++) key = `${id} ${count}`;
  return key;
}

/** Beside what the active tab shows; what is there already stays where it is. */
export function splitTab(layout: Layout, id: string, direction: Tab["direction"]): Layout {
  const active = layout.tabs.find(({ key }) => key === layout.active);
  if (active?.panes.includes(id) === true) return layout;
  if (active === undefined || active.panes.length >= mostPanes) return openTab(layout, id);
  const without = closePane(layout, id);
  const tabs = without.tabs.map((tab) =>
    tab.key === active.key ? { ...tab, direction, panes: [...tab.panes, id] } : tab,
  );
  return { tabs, active: active.key };
}

/** Drops the view; a tab without one goes, and its neighbour is shown. */
export function closePane(layout: Layout, id: string): Layout {
  const index = layout.tabs.findIndex(({ panes }) => panes.includes(id));
  const tab = layout.tabs[index];
  if (tab === undefined) return layout;
  if (tab.panes.length > 1) {
    const panes = tab.panes.filter((pane) => pane !== id);
    return { ...layout, tabs: layout.tabs.with(index, { ...tab, panes }) };
  }
  const tabs = layout.tabs.toSpliced(index, 1);
  const neighbour = tabs[Math.min(index, tabs.length - 1)];
  return { tabs, active: layout.active === tab.key ? neighbour?.key : layout.active };
}

export function showTab(layout: Layout, key: string): Layout {
  return { ...layout, active: key };
}

/** The tab so many places further, round and round. */
export function stepTab(layout: Layout, step: number): Layout {
  const index = layout.tabs.findIndex(({ key }) => key === layout.active);
  const next = layout.tabs.at((index + step) % Math.max(1, layout.tabs.length));
  return next === undefined ? layout : showTab(layout, next.key);
}

/** Whatever another version or a person left in the storage. */
export function readLayout(text: string | null): Layout {
  try {
    const value = JSON.parse(text ?? "null") as {
      readonly tabs?: unknown;
      readonly active?: unknown;
    } | null;
    const stored = Array.isArray(value?.tabs) ? value.tabs.filter(isTab) : [];
    const tabs = withoutRepeats(stored).slice(0, mostTabs);
    const active = tabs.find(({ key }) => key === value?.active) ?? tabs[0];
    return { tabs, active: active?.key };
  } catch {
    return emptyLayout; // not JSON
  }
}

/** Two tabs with one key would be shown together, and a terminal has one place on the page. */
function withoutRepeats(tabs: readonly Tab[]): Tab[] {
  const keys = new Set<string>();
  const shown = new Set<string>();
  return tabs.flatMap((tab) => {
    const panes = [...new Set(tab.panes)].filter((id) => !shown.has(id));
    if (keys.has(tab.key) || panes.length === 0) return [];
    keys.add(tab.key);
    for (const id of panes) shown.add(id);
    return [{ ...tab, panes }];
  });
}

function isTab(value: unknown): value is Tab {
  if (typeof value !== "object" || value === null) return false;
  const { key, direction, panes } = value as Partial<Record<keyof Tab, unknown>>; // each is looked at below
  const isDirection = direction === "row" || direction === "column";
  const arePanes =
    Array.isArray(panes) && panes.length > 0 && panes.every((pane) => typeof pane === "string");
  return typeof key === "string" && isDirection && arePanes;
}
