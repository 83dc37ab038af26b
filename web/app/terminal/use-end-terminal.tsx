// Ends the process of a terminal. Asked first when that ends more than an idle shell.
import { useState, type ReactNode } from "react";
import { client } from "~/api/client.ts";
import { endingText } from "~/terminal/ending-text.ts";
import { ConfirmDialog } from "~/ui/ConfirmDialog.tsx";
import { showError } from "~/ui/toasts.tsx";

// Hang-up, then so long until it is killed: a shell needs no more to write its history.
const graceMs = 1_500;

export interface EndTerminal {
  readonly ask: () => void;
  /** To be shown wherever the button is. */
  readonly question: ReactNode;
}

export function useEndTerminal(id: string): EndTerminal {
  const [text, setText] = useState<string>();
  const end = async (): Promise<void> => {
    try {
      await client.process.stop({ ids: [id], graceMs });
    } catch (error) {
      showError("The terminal was not ended", error);
    }
  };
  const ask = async (): Promise<void> => {
    try {
      const question = endingText(await client.process.get({ id }));
      if (question === undefined) await end();
      else setText(question);
    } catch (error) {
      showError("The terminal was not ended", error);
    }
  };
  return {
    ask: () => void ask(),
    question: (
      <ConfirmDialog
        open={text !== undefined}
        onClose={() => setText(undefined)}
        title="End this terminal?"
        action="End terminal"
        onConfirm={() => void end()}
      >
        <span className="break-words">{text}</span>
      </ConfirmDialog>
    ),
  };
}
