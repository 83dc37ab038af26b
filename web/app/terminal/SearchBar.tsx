// Search in a terminal: through what is loaded as you type, and through the whole kept output on request.
import { useState } from "react";
import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useMutation } from "@tanstack/react-query";
import { Link } from "react-router";
import { client } from "~/api/client.ts";
import type { TerminalSession } from "~/terminal/terminal-session.ts";
import { Button } from "~/ui/Button.tsx";
import { Failed } from "~/ui/States.tsx";
import { formatTime } from "~/util/format.ts";
import { path } from "~/util/path.ts";

const mostHits = 50;

/** The text itself, as a pattern. */
function literal(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

export function SearchBar({ session, onClose }: { session: TerminalSession; onClose: () => void }) {
  const [text, setText] = useState("");
  const whole = useMutation({
    mutationFn: (wanted: string) =>
      client.process.search({ id: session.id, regex: literal(wanted), limit: mostHits }),
  });
  const next = (): boolean => session.search.findNext(text);
  const previous = (): boolean => session.search.findPrevious(text);
  return (
    <search className="border-b border-line bg-raised text-xs">
      <form
        className="flex flex-wrap items-center gap-1 px-2 py-1"
        onSubmit={(event) => {
          event.preventDefault();
          next();
        }}
      >
        <input
          // The person just asked for it.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          aria-label="Search in this terminal"
          onKeyDown={({ key }) => (key === "Escape" ? onClose() : undefined)}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            if (target.value !== "") session.search.findNext(target.value, { incremental: true });
          }}
          className="h-7 min-w-0 flex-1 rounded border border-line-strong bg-surface px-2 text-sm"
        />
        <Button
          kind="ghost"
          aria-label="Previous"
          onClick={previous}
          icon={<ChevronUp size={15} aria-hidden />}
        />
        <Button kind="ghost" aria-label="Next" type="submit" icon={<ChevronDown size={15} aria-hidden />} />
        <Button disabled={text === "" || whole.isPending} onClick={() => whole.mutate(text)}>
          Whole log
        </Button>
        <Button kind="ghost" aria-label="Close search" onClick={onClose} icon={<X size={15} aria-hidden />} />
      </form>
      {whole.error === null ? null : <Failed error={whole.error} />}
      {whole.data === undefined ? null : (
        <div className="max-h-48 overflow-auto border-t border-line px-2 py-1">
          <p className="text-muted">
            {whole.data.matches.length === 0
              ? "Nothing found in the kept output."
              : `${whole.data.matches.length} lines found`}
          </p>
          <ol className="font-mono">
            {whole.data.matches.map(({ offset, at, line }) => (
              <li key={offset}>
                <Link
                  className="block truncate py-0.5 hover:bg-sunken"
                  title={formatTime(at)}
                  to={`${path.process(session.id)}?at=${offset}`}
                >
                  <span className="text-muted tabular-nums">{offset}</span> {line}
                </Link>
              </li>
            ))}
          </ol>
        </div>
      )}
    </search>
  );
}
