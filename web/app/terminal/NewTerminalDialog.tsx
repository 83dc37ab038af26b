// Asks where a new terminal should begin, or which process to show; opens it.
import { useId, useState } from "react";
import { client, errorText } from "~/api/client.ts";
import { useRoleReason } from "~/api/me.ts";
import { processes } from "~/api/processes.ts";
import type { Tab } from "~/terminal/layout-state.ts";
import { openPane } from "~/terminal/open-terminals.ts";
import { Button } from "~/ui/Button.tsx";
import { Dialog } from "~/ui/Dialog.tsx";
import { randomKey } from "~/util/random-key.ts";
import { createStore, useStore } from "~/util/store.ts";

interface TerminalRequest {
  readonly split?: Tab["direction"] | undefined;
}

/** What is being asked; undefined: nothing. */
const request = createStore<TerminalRequest | undefined>(undefined);

export function requestTerminal(wanted: TerminalRequest = {}): void {
  request.set(wanted);
}

const mostSuggestions = 20;

export function NewTerminalDialog() {
  const asked = useStore(request);
  return asked === undefined ? null : (
    <Dialog title="New terminal" onClose={() => request.set(undefined)}>
      <Choices split={asked.split} />
    </Dialog>
  );
}

function Choices({ split }: TerminalRequest) {
  const known = useStore(processes);
  const directories = [...new Set([...(known?.values() ?? [])].map(({ cwd }) => cwd))].slice(
    0,
    mostSuggestions,
  );
  const running = [...(known?.values() ?? [])]
    .filter(({ state }) => state === "running")
    .slice(0, mostSuggestions);
  const [cwd, setCwd] = useState("~");
  const [error, setError] = useState<unknown>();
  const [isOpening, setOpening] = useState(false);
  const listId = useId();
  const open = async (): Promise<void> => {
    setOpening(true);
    try {
      const { process } = await client.terminal.open({ key: randomKey(), cwd });
      openPane(process.id, { split, keyboard: true });
      request.set(undefined);
    } catch (failure) {
      setError(failure);
    } finally {
      setOpening(false);
    }
  };
  const show = (id: string): void => {
    openPane(id, { split, keyboard: false });
    request.set(undefined);
  };
  return (
    <>
      <form
        className="mt-3 flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void open();
        }}
      >
        <label className="flex flex-col gap-1">
          Directory
          <input
            list={listId}
            value={cwd}
            spellCheck={false}
            onChange={({ target }) => setCwd(target.value)}
            className="h-9 rounded border border-line-strong bg-surface px-2 font-mono"
          />
        </label>
        <datalist id={listId}>
          {directories.map((directory) => (
            <option key={directory} value={directory}>
              {directory}
            </option>
          ))}
        </datalist>
        {error === undefined ? null : (
          <p role="alert" className="text-bad">
            {errorText(error).message}. {errorText(error).hint}
          </p>
        )}
        <Button
          kind="primary"
          type="submit"
          disabled={isOpening || cwd === ""}
          disabledReason={useRoleReason("operator")}
        >
          Open a shell
        </Button>
      </form>
      {running.length === 0 ? null : (
        <>
          <h3 className="mt-4 mb-1 text-xs font-semibold text-muted">Or show what runs</h3>
          <ul className="max-h-56 overflow-auto rounded border border-line">
            {running.map(({ id, name, command }) => (
              <li key={id}>
                <button
                  type="button"
                  className="block w-full truncate px-2 py-1.5 text-left font-mono text-xs hover:bg-sunken"
                  onClick={() => show(id)}
                >
                  {name === null ? command : `${name}: ${command}`}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
