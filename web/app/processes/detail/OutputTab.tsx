// The output of a process on its page, with a line to type into it.
import { useCallback } from "react";
import { useSearchParams } from "react-router";
import { InputBar } from "~/processes/detail/InputBar.tsx";
import { useDetail } from "~/processes/detail/use-detail.ts";
import { OutputView, type OutputViewProps } from "~/processes/output/OutputView.tsx";

export function OutputTab({ process, outputBytes }: Pick<OutputViewProps, "process" | "outputBytes">) {
  const detail = useDetail(process.id, process);
  const [target, setTarget] = useTarget();
  return (
    <>
      <OutputView
        process={process}
        outputBytes={Math.max(outputBytes, process.outputBytes)}
        target={target}
        onTarget={setTarget}
      />
      {process.state === "ended" || detail.data === undefined ? null : <InputBar detail={detail.data} />}
    </>
  );
}

/** The offset in the page's address: a link leads to a line. */
function useTarget(): readonly [number | undefined, (offset: number) => void] {
  const [search, setSearch] = useSearchParams();
  const text = search.get("at") ?? "";
  const setTarget = useCallback(
    (offset: number) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          next.set("at", String(offset));
          return next;
        },
        { replace: true },
      ),
    [setSearch],
  );
  return [/^\d{1,15}$/.test(text) ? Number(text) : undefined, setTarget];
}
