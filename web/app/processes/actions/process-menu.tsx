// The entries of a process's menu: the same in the table and on its own page.
import { useNavigate, type NavigateFunction } from "react-router";
import {
  ClipboardCopy,
  ExternalLink,
  Film,
  Pencil,
  RotateCw,
  Square,
  SquareTerminal,
  Trash2,
} from "lucide-react";
import type { ListedProcess } from "#protocol/control.ts";
import { useRoleReason } from "~/api/me.ts";
import { askFor } from "~/processes/actions/action-request.ts";
import { copyText, signalProcess } from "~/processes/actions/process-actions.ts";
import { disabledReason } from "~/processes/disabled-reason.ts";
import type { MenuEntry } from "~/ui/Menu.tsx";
import { path } from "~/util/path.ts";

const iconSize = 15;

/** What may end the program that gets it is asked about first. */
const signals = [
  ["SIGINT", true],
  ["SIGTERM", true],
  ["SIGHUP", true],
  ["SIGQUIT", true],
  ["SIGUSR1", true],
  ["SIGUSR2", true],
  ["SIGSTOP", false],
  ["SIGCONT", false],
  ["SIGKILL", true],
] as const;

export function useSignalEntries(process: ListedProcess): MenuEntry[] {
  const role = useRoleReason("operator");
  const reason = role ?? disabledReason.signal(process);
  return signals.map(([signal, mayEnd]) => ({
    label: signal,
    isDanger: signal === "SIGKILL",
    disabledReason: reason,
    onSelect: () =>
      mayEnd ? askFor({ kind: "signal", process, signal }) : void signalProcess(process, signal),
  }));
}

function lookEntries(process: ListedProcess, navigate: NavigateFunction): MenuEntry[] {
  return [
    {
      label: "Open as terminal",
      icon: <SquareTerminal size={iconSize} aria-hidden />,
      onSelect: () => void navigate(path.terminal(process.id)),
    },
    {
      label: "Replay",
      icon: <Film size={iconSize} aria-hidden />,
      disabledReason: disabledReason.replay(process) ?? disabledReason.readOutput(process),
      onSelect: () => void navigate(path.replay(process.id)),
    },
    {
      label: "Copy id",
      icon: <ClipboardCopy size={iconSize} aria-hidden />,
      onSelect: () => void copyText(process.id, "Id"),
    },
    {
      label: "Copy command",
      icon: <ClipboardCopy size={iconSize} aria-hidden />,
      onSelect: () => void copyText(process.command, "Command"),
    },
  ];
}

/** `isOnPage`: on its own page, which needs no entry that leads there. */
export function useProcessMenu(process: ListedProcess, isOnPage: boolean): MenuEntry[][] {
  const navigate = useNavigate();
  const role = useRoleReason("operator");
  const open: MenuEntry = {
    label: "Open",
    icon: <ExternalLink size={iconSize} aria-hidden />,
    onSelect: () => void navigate(path.process(process.id)),
  };
  const stop: MenuEntry = {
    label: "Stop…",
    icon: <Square size={iconSize} aria-hidden />,
    isDanger: true,
    disabledReason: role ?? disabledReason.stop(process),
    onSelect: () => askFor({ kind: "stop", processes: [process] }),
  };
  const changes: MenuEntry[] = [
    {
      label: "Restart as new…",
      icon: <RotateCw size={iconSize} aria-hidden />,
      disabledReason: role,
      onSelect: () => askFor({ kind: "restart", process }),
    },
    {
      label: "Rename…",
      icon: <Pencil size={iconSize} aria-hidden />,
      disabledReason: role,
      onSelect: () => askFor({ kind: "rename", process }),
    },
  ];
  const remove: MenuEntry = {
    label: "Remove…",
    icon: <Trash2 size={iconSize} aria-hidden />,
    isDanger: true,
    disabledReason: role ?? disabledReason.remove(process),
    onSelect: () => askFor({ kind: "remove", processes: [process] }),
  };
  const look = lookEntries(process, navigate);
  return isOnPage ? [look, [...changes, remove]] : [[open, ...look], changes, [stop, remove]];
}
