// Starts the same again, as a new process. Says what cannot be repeated before it happens.
import { useState } from "react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import type { ListedProcess } from "#protocol/control.ts";
import type { ProcessDetail } from "#protocol/process.ts";
import { terminalKeyOf } from "#protocol/terminal-key.ts";
import { client } from "~/api/client.ts";
import { processes } from "~/api/processes.ts";
import { missingNames, openLike, startLike } from "~/processes/actions/start-like.ts";
import { Button } from "~/ui/Button.tsx";
import { Dialog } from "~/ui/Dialog.tsx";
import { Failed, Loading } from "~/ui/States.tsx";
import { showToast } from "~/ui/toasts.tsx";
import { path } from "~/util/path.ts";
import { randomKey } from "~/util/random-key.ts";

async function restart(detail: ProcessDetail, isStdinOpen: boolean): Promise<ProcessDetail> {
  const opening = openLike(detail, processes.get()?.values() ?? [], randomKey());
  if (opening !== undefined) {
    const { process } = await client.terminal.open(opening);
    return await client.process.get({ id: process.id });
  }
  // Without a name nobody is replaced by the start itself.
  if (detail.state !== "ended" && detail.name === null) await client.process.stop({ ids: [detail.id] });
  const { id } = await client.process.start(startLike(detail, { isStdinOpen }));
  return await client.process.get({ id });
}

function tell(before: ProcessDetail, after: ProcessDetail): void {
  const missing = missingNames(before, after);
  showToast({
    tone: missing.length === 0 ? "good" : "warn",
    title: "Started again",
    text: missing.length === 0 ? undefined : `Without the variables ${missing.join(", ")}`,
    href: path.process(after.id),
  });
}

export function RestartDialog({ process, onClose }: { process: ListedProcess; onClose: () => void }) {
  const navigate = useNavigate();
  // Not what the list has: there secrets in command lines are taken out.
  const detail = useQuery({
    queryKey: ["process", process.id],
    queryFn: ({ signal }) => client.process.get({ id: process.id }, { signal }),
  });
  const [isStdinOpen, setStdinOpen] = useState(false);
  const again = useMutation({
    mutationFn: (before: ProcessDetail) => restart(before, isStdinOpen),
    onSuccess: async (after, before) => {
      tell(before, after);
      onClose();
      await navigate(path.process(after.id));
    },
  });
  return (
    <Dialog title="Restart as new" onClose={onClose}>
      {detail.error === null ? null : <Failed error={detail.error} />}
      {detail.data === undefined && detail.error === null ? <Loading lines={4} /> : null}
      {detail.data === undefined ? null : (
        <form
          className="mt-2 flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            again.mutate(detail.data);
          }}
        >
          <Plan detail={detail.data} />
          {detail.data.mode === "pty" ? null : (
            <label className="flex items-center gap-2">
              <input
                type="checkbox"
                checked={isStdinOpen}
                onChange={({ target }) => setStdinOpen(target.checked)}
              />
              Keep its standard input open
            </label>
          )}
          {again.error === null ? null : <Failed error={again.error} />}
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button
              kind={detail.data.state === "ended" ? "primary" : "danger"}
              type="submit"
              disabled={again.isPending}
            >
              {detail.data.state === "ended" ? "Start again" : "Stop and start again"}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function Plan({ detail }: { detail: ProcessDetail }) {
  const isTerminal = terminalKeyOf(detail) !== undefined;
  return (
    <div className="flex flex-col gap-2 text-muted">
      <code className="max-h-32 overflow-auto rounded border border-line bg-sunken p-2 font-mono text-xs break-all text-text">
        {detail.command}
      </code>
      <p>
        A new {isTerminal ? "terminal" : "process"} runs this in{" "}
        <span className="font-mono break-all">{detail.cwd}</span>
        {isTerminal ? "." : ", with the same name, labels, owner and limits."}
        {detail.state === "ended" ? "" : " The one that runs now is stopped first, with all its descendants."}
      </p>
      <p>
        Values of environment variables are never stored: it gets those of a login shell. Watches are not
        repeated.
      </p>
    </div>
  );
}
