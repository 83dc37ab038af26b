// One terminal with its bar: what it is, who types, what can be done.
import { useEffect, useRef, useState } from "react";
import "@xterm/xterm/css/xterm.css";
import { processes } from "~/api/processes.ts";
import { KeyRow } from "~/terminal/KeyRow.tsx";
import { noTyping } from "~/terminal/keyboard-text.ts";
import { sessionOf } from "~/terminal/open-terminals.ts";
import { OlderLines } from "~/terminal/OlderLines.tsx";
import { SearchBar } from "~/terminal/SearchBar.tsx";
import { TerminalBar } from "~/terminal/TerminalBar.tsx";
import { useGpu } from "~/terminal/use-gpu.ts";
import { showError } from "~/ui/toasts.tsx";
import { copyToClipboard } from "~/util/clipboard.ts";
import { useStore } from "~/util/store.ts";

export interface TerminalPaneProps {
  readonly id: string;
  /** Its tab is the one shown: a hidden terminal has no size to tell. */
  readonly isShown: boolean;
  readonly isActive: boolean;
}

export function TerminalPane({ id, isShown, isActive }: TerminalPaneProps) {
  const session = sessionOf(id);
  const state = useStore(session.state);
  const process = useStore(processes)?.get(id);
  const [isSearching, setSearching] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useGpu(session.terminal, isShown);
  useEffect(() => {
    const element = place.current;
    if (element === null || !isShown) return undefined;
    session.show(element);
    const observer = new ResizeObserver(() => session.fit());
    observer.observe(element);
    // Whoever walks along the tabs by keys would type the next of them.
    const isWalking = document.activeElement?.getAttribute("role") === "tab";
    if (isActive && !isWalking) session.terminal.focus();
    return () => {
      observer.disconnect();
      session.hide();
    };
  }, [session, isShown, isActive]);
  useEffect(() => {
    session.terminal.attachCustomKeyEventHandler((event) => {
      if (event.type !== "keydown" || !event.ctrlKey || !event.shiftKey) return true;
      if (event.code === "KeyF") setSearching(true);
      else if (event.code === "KeyC") copySelection(session.terminal.getSelection());
      // A way out for the keyboard: Tab belongs to the program.
      else if (event.code === "ArrowUp") place.current?.closest("section")?.querySelector("button")?.focus();
      else return true;
      event.preventDefault();
      return false;
    });
  }, [session]);
  return (
    <section
      aria-label={`Terminal ${process?.name ?? process?.command ?? id}`}
      className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface"
    >
      <TerminalBar session={session} state={state} process={process} onSearch={() => setSearching(true)} />
      <div className="relative flex min-h-0 flex-1 flex-col">
        {isSearching ? (
          <SearchBar
            session={session}
            onClose={() => {
              setSearching(false);
              session.terminal.focus();
            }}
          />
        ) : null}
        {state.isAtOldest ? <OlderLines session={session} /> : null}
        <div className="min-h-0 flex-1 overflow-auto bg-(--terminal) p-1" data-terminal={id}>
          <div ref={place} className="h-full w-full" />
        </div>
        {state.remark === undefined ? null : (
          <p
            role="alert"
            className="absolute inset-x-2 top-2 flex items-start gap-2 rounded border border-warn/40 bg-warn-soft px-2 py-1 text-warn shadow"
          >
            <span className="min-w-0 flex-1 break-words">{state.remark}</span>
            <button type="button" className="underline" onClick={() => session.clearRemark()}>
              Hide
            </button>
          </p>
        )}
      </div>
      {session.hasKeyboard && noTyping(state, process) === undefined ? <KeyRow session={session} /> : null}
    </section>
  );
}

function copySelection(text: string): void {
  if (text !== "") copyToClipboard(text).catch((error: unknown) => showError("Not copied", error));
}
