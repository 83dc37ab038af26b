// Search in a terminal: through what is loaded as you type, and through the whole kept log on request.
import { useState } from "react";
import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useNavigate } from "react-router";
import { SearchPanel } from "~/processes/output/SearchPanel.tsx";
import { noWish, useSearch } from "~/processes/output/use-search.ts";
import type { TerminalSession } from "~/terminal/terminal-session.ts";
import { Button } from "~/ui/Button.tsx";
import { path } from "~/util/path.ts";

export function SearchBar({ session, onClose }: { session: TerminalSession; onClose: () => void }) {
  const [text, setText] = useState("");
  const [isLoaded, setLoaded] = useState(true);
  const [wish, setWish] = useState(noWish);
  const results = useSearch(session.id, wish);
  const navigate = useNavigate();
  const change = (wanted: string): void => {
    setText(wanted);
    setWish(noWish);
    setLoaded(wanted === "" || session.search.findNext(wanted, { incremental: true }));
  };
  return (
    // Over the terminal, not above it: a program would have to paint itself anew for a smaller size.
    <search className="absolute inset-x-0 top-0 z-20 border-b border-line bg-raised text-xs shadow md:right-5 md:left-auto md:w-2xl md:max-w-[calc(100%-1.25rem)] md:rounded-b-md md:border-x">
      <form
        className="flex flex-wrap items-center gap-1 px-2 py-1"
        onSubmit={(event) => {
          event.preventDefault();
          setLoaded(session.search.findNext(text));
        }}
      >
        <input
          // The person just asked for it.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          aria-label="Search in this terminal"
          onKeyDown={({ key }) => (key === "Escape" ? onClose() : undefined)}
          value={text}
          onChange={({ target }) => change(target.value)}
          className="h-7 min-w-32 flex-1 rounded border border-line-strong bg-surface px-2 text-sm"
        />
        <output className="order-last w-full text-muted empty:hidden md:order-none md:w-auto">
          {isLoaded ? "" : "Not in the lines loaded here"}
        </output>
        <Button
          kind="ghost"
          aria-label="Previous"
          onClick={() => setLoaded(session.search.findPrevious(text))}
          icon={<ChevronUp size={15} aria-hidden />}
        />
        <Button kind="ghost" aria-label="Next" type="submit" icon={<ChevronDown size={15} aria-hidden />} />
        <Button disabled={text === ""} onClick={() => setWish({ ...noWish, text })}>
          Whole log
        </Button>
        <Button kind="ghost" aria-label="Close search" onClick={onClose} icon={<X size={15} aria-hidden />} />
      </form>
      {results === undefined ? null : (
        <SearchPanel
          results={results}
          current={undefined}
          onJump={(offset) => void navigate(path.output(session.id, offset))}
        />
      )}
    </search>
  );
}
