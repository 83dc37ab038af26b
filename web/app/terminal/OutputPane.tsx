// A process without a terminal, among the terminals: its output as it comes, and a line to type into while it reads.
import { useState } from "react";
import type { ListedProcess } from "#protocol/control.ts";
import type { ProcessDetail } from "#protocol/process.ts";
import { useUsage } from "~/api/usage.ts";
import { InputBar } from "~/processes/detail/InputBar.tsx";
import { disabledReason } from "~/processes/disabled-reason.ts";
import { OutputView } from "~/processes/output/OutputView.tsx";
import { titleOf } from "~/processes/process-text.ts";
import { PaneBar, splitActions } from "~/terminal/PaneBar.tsx";
import { Badge } from "~/ui/Badge.tsx";
import { exitText, toneOf } from "~/util/exit-text.ts";

export interface OutputPaneProps {
  readonly process: ListedProcess;
  /** Undefined until it is here. */
  readonly detail: ProcessDetail | undefined;
  /** Its tab is the one shown: nobody follows the output of a hidden one. */
  readonly isShown: boolean;
}

export function OutputPane({ process, detail, isShown }: OutputPaneProps) {
  const canType = detail !== undefined && disabledReason.write(detail) === undefined;
  return (
    <section
      aria-label={`Process ${titleOf(process)}`}
      className="flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden bg-surface"
    >
      <PaneBar
        id={process.id}
        title={titleOf(process)}
        facts={<Badge tone={toneOf(process)}>{exitText(process)}</Badge>}
        actions={splitActions}
      />
      {isShown ? <LiveOutput process={process} /> : null}
      {canType ? <InputBar detail={detail} /> : null}
    </section>
  );
}

function LiveOutput({ process }: { process: ListedProcess }) {
  const [target, setTarget] = useState<number>();
  const written = useUsage().rows.get(process.id)?.outputBytes ?? 0;
  return (
    <OutputView
      process={process}
      outputBytes={Math.max(written, process.outputBytes)}
      target={target}
      onTarget={setTarget}
    />
  );
}
