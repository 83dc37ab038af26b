// Types into a process: a line, a key, a text, or the end of its input.
import { useState } from "react";
import { ClipboardPaste, CornerDownLeft, Keyboard, LogOut } from "lucide-react";
import type { ProcessDetail } from "#protocol/process.ts";
import { useRoleReason } from "~/api/me.ts";
import { askFor } from "~/processes/actions/action-request.ts";
import { writeTo } from "~/processes/actions/process-actions.ts";
import { disabledReason } from "~/processes/disabled-reason.ts";
import { Button } from "~/ui/Button.tsx";
import { Field } from "~/ui/Field.tsx";
import { Menu } from "~/ui/Menu.tsx";

const iconSize = 15;
const keys = [
  ["enter", "tab", "escape", "backspace"],
  ["up", "down", "left", "right"],
  ["ctrl-c", "ctrl-d", "ctrl-z", "ctrl-l"],
] as const;

export function InputBar({ detail }: { detail: ProcessDetail }) {
  const [text, setText] = useState("");
  const role = useRoleReason("operator");
  const reason = role ?? disabledReason.write(detail);
  const send = async (): Promise<void> => {
    if (await writeTo(detail, [{ text }, { key: "enter" }])) setText("");
  };
  return (
    <form
      aria-label="Send input"
      className="flex flex-wrap items-center gap-1 border-t border-line bg-surface px-2 py-1"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Field
        label="Input for the process"
        isLabelHidden
        placeholder={reason ?? "Type a line for the process"}
        disabled={reason !== undefined}
        value={text}
        onChange={setText}
        className="min-w-24 flex-1 font-mono"
      />
      <Button
        type="submit"
        aria-label="Send line"
        disabledReason={reason}
        icon={<CornerDownLeft size={iconSize} aria-hidden />}
      />
      <Menu
        label="Keys"
        groups={keys.map((group) =>
          group.map((key) => ({
            label: key,
            disabledReason: reason,
            onSelect: () => void writeTo(detail, [{ key }]),
          })),
        )}
        trigger={
          <Button
            kind="ghost"
            aria-label="Send a key"
            disabledReason={reason}
            icon={<Keyboard size={iconSize} aria-hidden />}
          />
        }
      />
      <Button
        kind="ghost"
        aria-label="Paste text"
        disabledReason={reason}
        icon={<ClipboardPaste size={iconSize} aria-hidden />}
        onClick={() => askFor({ kind: "paste", process: detail })}
      />
      <Button
        kind="ghost"
        aria-label="Close input"
        title="Close its standard input"
        disabledReason={reason}
        icon={<LogOut size={iconSize} aria-hidden />}
        onClick={() => askFor({ kind: "close-stdin", process: detail })}
      />
    </form>
  );
}
