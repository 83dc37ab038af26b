// Ends the process of a terminal. Asked first when something runs in it besides the shell.
import { useState } from "react";
import { Power } from "lucide-react";
import { client } from "~/api/client.ts";
import { Button } from "~/ui/Button.tsx";
import { ConfirmDialog } from "~/ui/ConfirmDialog.tsx";
import { showError } from "~/ui/toasts.tsx";

// Hang-up, then so long until it is killed: a shell needs no more to write its history.
const graceMs = 1_500;

export interface EndTerminalProps {
  readonly id: string;
  readonly disabledReason: string | undefined;
}

export function EndTerminal({ id, disabledReason }: EndTerminalProps) {
  const [running, setRunning] = useState<number>();
  const end = async (): Promise<void> => {
    try {
      await client.process.stop({ ids: [id], graceMs });
    } catch (error) {
      showError("The terminal was not ended", error);
    }
  };
  const ask = async (): Promise<void> => {
    try {
      const { processes } = await client.process.get({ id });
      if (processes > 1) setRunning(processes - 1);
      else await end();
    } catch (error) {
      showError("The terminal was not ended", error);
    }
  };
  return (
    <>
      <Button
        kind="ghost"
        aria-label="End terminal"
        title="End terminal"
        disabledReason={disabledReason}
        onClick={() => void ask()}
        icon={<Power size={15} aria-hidden />}
      />
      <ConfirmDialog
        open={running !== undefined}
        onClose={() => setRunning(undefined)}
        title="End this terminal?"
        action="End terminal"
        onConfirm={() => void end()}
      >
        {running === 1 ? "A program still runs in it" : `${running ?? 0} programs still run in it`} and will
        be ended with it: a hang-up first, a kill after 1.5 s.
      </ConfirmDialog>
    </>
  );
}
