// The dialogs behind all actions on processes. One for each page that offers them.
import { useState } from "react";
import type { ListedProcess } from "#protocol/control.ts";
import { actionRequest, closeRequest } from "~/processes/actions/action-request.ts";
import {
  closeStdin,
  removeProcesses,
  renameProcess,
  signalProcess,
  stopProcesses,
  writeTo,
} from "~/processes/actions/process-actions.ts";
import { RestartDialog } from "~/processes/actions/RestartDialog.tsx";
import { titleOf } from "~/processes/process-text.ts";
import { Button } from "~/ui/Button.tsx";
import { ConfirmDialog } from "~/ui/ConfirmDialog.tsx";
import { Dialog } from "~/ui/Dialog.tsx";
import { Field } from "~/ui/Field.tsx";
import { useStore } from "~/util/store.ts";

export function ActionDialogs() {
  const request = useStore(actionRequest);
  if (request === undefined) return null;
  switch (request.kind) {
    case "stop":
      return <ConfirmStop processes={request.processes.filter(({ state }) => state !== "ended")} />;
    case "remove":
      return <ConfirmRemove processes={request.processes.filter(({ state }) => state === "ended")} />;
    case "signal":
      return <ConfirmSignal process={request.process} signal={request.signal} />;
    case "close-stdin":
      return <ConfirmClose process={request.process} />;
    case "restart":
      return <RestartDialog process={request.process} onClose={closeRequest} />;
    case "rename":
      return <RenameDialog process={request.process} />;
    default:
      return <PasteDialog process={request.process} />;
  }
}

function Names({ processes }: { processes: readonly ListedProcess[] }) {
  return (
    <ul className="mt-2 max-h-40 overflow-auto rounded border border-line bg-sunken p-2 font-mono text-xs text-text">
      {processes.map((process) => (
        <li key={process.id} className="truncate">
          {titleOf(process)}
        </li>
      ))}
    </ul>
  );
}

function countText(count: number): string {
  return count === 1 ? "this process" : `${count} processes`;
}

function ConfirmStop({ processes }: { processes: readonly ListedProcess[] }) {
  return (
    <ConfirmDialog
      open
      onClose={closeRequest}
      title={`Stop ${countText(processes.length)}?`}
      action="Stop"
      onConfirm={() => void stopProcesses(processes)}
    >
      It is asked to end, with all its descendants; what is still there after the grace period is killed.
      <Names processes={processes} />
    </ConfirmDialog>
  );
}

function ConfirmRemove({ processes }: { processes: readonly ListedProcess[] }) {
  return (
    <ConfirmDialog
      open
      onClose={closeRequest}
      title={`Remove ${countText(processes.length)}?`}
      action="Remove"
      onConfirm={() => void removeProcesses(processes)}
    >
      The record and all its output are deleted for good.
      <Names processes={processes} />
    </ConfirmDialog>
  );
}

function ConfirmSignal({ process, signal }: { process: ListedProcess; signal: string }) {
  return (
    <ConfirmDialog
      open
      onClose={closeRequest}
      title={`Send ${signal}?`}
      action={`Send ${signal}`}
      onConfirm={() => void signalProcess(process, signal)}
    >
      {signal === "SIGKILL"
        ? "It ends at once and can save nothing; its descendants go on."
        : "A program that does not expect this signal ends."}
      <Names processes={[process]} />
    </ConfirmDialog>
  );
}

function ConfirmClose({ process }: { process: ListedProcess }) {
  return (
    <ConfirmDialog
      open
      onClose={closeRequest}
      title="Close its input?"
      action="Close input"
      onConfirm={() => void closeStdin(process)}
    >
      The program reads the end of its input. Nothing can be sent to it afterwards.
      <Names processes={[process]} />
    </ConfirmDialog>
  );
}

function RenameDialog({ process }: { process: ListedProcess }) {
  const [name, setName] = useState(process.name ?? "");
  return (
    <Dialog title="Rename" onClose={closeRequest}>
      <form
        className="mt-3 flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          closeRequest();
          void renameProcess(process, name === "" ? null : name);
        }}
      >
        <Field label="Name; empty for none" value={name} onChange={setName} maxLength={63} />
        <p className="text-muted">
          Letters, digits, dots, dashes and underscores, beginning with a letter or digit.
        </p>
        <div className="flex justify-end gap-2">
          <Button onClick={closeRequest}>Cancel</Button>
          <Button kind="primary" type="submit">
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function PasteDialog({ process }: { process: ListedProcess }) {
  const [text, setText] = useState("");
  const send = async (): Promise<void> => {
    if (await writeTo(process, [{ paste: text }])) closeRequest();
  };
  return (
    <Dialog title="Paste" onClose={closeRequest}>
      <form
        className="mt-3 flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <label className="flex flex-col gap-1">
          Text; sent as it is, marked as pasted where the program asks for that
          <textarea
            rows={8}
            value={text}
            spellCheck={false}
            onChange={({ target }) => setText(target.value)}
            className="rounded-md border border-line-strong bg-surface p-2 font-mono text-xs"
          />
        </label>
        <div className="flex justify-end gap-2">
          <Button onClick={closeRequest}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={text === ""}>
            Paste
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
