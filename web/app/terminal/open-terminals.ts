// The terminals that are open on this page. They live outside the components: a terminal keeps its screen and its
// connection while another tab or page is shown, and ends only when its view is closed.
import { closePane, openTab, readLayout, splitTab, type Layout, type Tab } from "~/terminal/layout-state.ts";
import { loadSettings } from "~/terminal/terminal-settings.ts";
import { TerminalSession } from "~/terminal/terminal-session.ts";
import { createStore } from "~/util/store.ts";

/** In the storage of the window, which has tabs of its own, and of the browser, where the next new window finds what to begin with. */
const storageKey = "holdfast.terminals";
/** In which terminals this window had the keyboard when it was left. */
const keyboardKey = "holdfast.keyboards";

export const layout = createStore<Layout>({ tabs: [], active: undefined });
const sessions = new Map<string, TerminalSession>();
/** Opened here by a person, who will want to type. */
const opened = new Set<string>();
let isLoaded = false;

export function loadLayout(): void {
  if (isLoaded) return;
  isLoaded = true;
  loadSettings();
  for (const id of (sessionStorage.getItem(keyboardKey) ?? "").split(" ")) opened.add(id);
  sessionStorage.removeItem(keyboardKey);
  addEventListener("pagehide", leaveKeyboards);
  changeLayout(readLayout(sessionStorage.getItem(storageKey) ?? localStorage.getItem(storageKey)));
}

/** Free for others at once, and for this window when it was only loaded again. */
function leaveKeyboards(): void {
  const held = [...sessions.values()].filter(({ hasKeyboard }) => hasKeyboard);
  sessionStorage.setItem(keyboardKey, held.map(({ id }) => id).join(" "));
  for (const session of held) session.releaseKeyboard();
}

export function changeLayout(next: Layout): void {
  layout.set(next);
  for (const storage of [sessionStorage, localStorage]) storage.setItem(storageKey, JSON.stringify(next));
  const shown = new Set(next.tabs.flatMap(({ panes }) => panes));
  for (const [id, session] of sessions) {
    if (shown.has(id)) continue;
    sessions.delete(id);
    session.close();
  }
}

export function openPane(
  id: string,
  options: { readonly split?: Tab["direction"] | undefined; readonly keyboard: boolean },
): void {
  if (options.keyboard) opened.add(id);
  const { split } = options;
  changeLayout(split === undefined ? openTab(layout.get(), id) : splitTab(layout.get(), id, split));
}

/** To type into it. One that is hidden cannot be typed into. */
export function focusTerminal(id: string | undefined): void {
  if (id !== undefined) sessions.get(id)?.terminal.focus();
}

/** How others see this viewer: the browser, and which of its windows. */
const viewer = `${navigator.userAgent.includes("Firefox") ? "Firefox" : "Browser"} ${Math.random().toString(36).slice(2, 5)}`;

export function hasSession(id: string): boolean {
  return sessions.has(id);
}

export function sessionOf(id: string): TerminalSession {
  const found = sessions.get(id);
  if (found !== undefined) return found;
  const session = new TerminalSession({
    id,
    viewer,
    keyboard: opened.has(id),
    onClosed: () => changeLayout(closePane(layout.get(), id)),
  });
  sessions.set(id, session);
  return session;
}
