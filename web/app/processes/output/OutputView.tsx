// The whole kept output of a process: any part of it, at once, however long it is.
import { useCallback, useEffect, useMemo, useRef } from "react";
import type { ListedProcess } from "#protocol/control.ts";
import { followLog } from "~/processes/output/follow-log.ts";
import { LogDocument } from "~/processes/output/log-document.ts";
import { streamColumns, timeColumns } from "~/processes/output/OutputLine.tsx";
import { OutputScreen } from "~/processes/output/OutputScreen.tsx";
import { OutputStatus } from "~/processes/output/OutputStatus.tsx";
import { OutputToolbar } from "~/processes/output/OutputToolbar.tsx";
import { outputSettings } from "~/processes/output/output-settings.ts";
import { logSource } from "~/processes/output/read-log.ts";
import { SearchPanel } from "~/processes/output/SearchPanel.tsx";
import { useBox } from "~/processes/output/use-box.ts";
import { useLogView } from "~/processes/output/use-log-view.ts";
import { useSearchWalk } from "~/processes/output/use-search-walk.ts";
import { Empty, Failed, Loading } from "~/ui/States.tsx";
import { showError } from "~/ui/toasts.tsx";
import { useStore } from "~/util/store.ts";

export interface OutputViewProps {
  readonly process: ListedProcess;
  /** How far its output goes, as far as is known from elsewhere. */
  readonly outputBytes: number;
  /** Offset of the line that is gone to. */
  readonly target: number | undefined;
  readonly onTarget: (offset: number) => void;
}

export function OutputView({ process, outputBytes, target, onTarget }: OutputViewProps) {
  const { id } = process;
  const document = useMemo(() => new LogDocument(logSource(id)), [id]);
  const { isOpen, error, end } = useStore(document.state);
  const { isWrapped, hasTimes } = useStore(outputSettings);
  const probe = useRef<HTMLSpanElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const box = useBox(frame, probe, streamColumns + (hasTimes ? timeColumns : 0));
  const columns = isWrapped ? box.columns : undefined;
  const view = useLogView(document, { ...box, columns, begin: target });
  const { isFollowing, jump } = view;
  useEffect(() => document.open(), [document]);
  useEffect(() => document.grew(outputBytes), [document, outputBytes]);
  useFollowing(id, document, isFollowing);
  useEffect(() => {
    if (target !== undefined) jump(target);
  }, [target, jump]);
  const go = useCallback(
    (offset: number) => {
      onTarget(offset);
      jump(offset);
    },
    [onTarget, jump],
  );
  const { wish, setWish, results, current, walkTo, step } = useSearchWalk(id, go);
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <OutputToolbar
        process={process}
        isFollowing={isFollowing}
        onFollow={view.follow}
        onLeaveEnd={view.leaveEnd}
        wish={wish}
        onWish={setWish}
        onStep={step}
        hasMatches={(results?.matches.length ?? 0) > 0}
      />
      {results === undefined ? null : <SearchPanel results={results} current={current} onJump={walkTo} />}
      {error === undefined ? null : <Failed error={error} onRetry={() => void document.refresh()} />}
      <OutputScreen
        frame={frame}
        probe={probe}
        view={view}
        columns={columns}
        hasTimes={hasTimes}
        target={current ?? target}
        marked={wish.isPattern ? "" : wish.text.toLowerCase()}
      >
        {isOpen ? null : <Loading lines={6} label="Loading output" />}
        {isOpen && end === 0 && error === undefined ? (
          <Empty title={process.state === "ended" ? "It wrote nothing" : "It has written nothing yet"} />
        ) : null}
      </OutputScreen>
      <OutputStatus process={process} end={end} view={view} />
    </div>
  );
}

function useFollowing(id: string, document: LogDocument, isFollowing: boolean): void {
  useEffect(() => {
    if (!isFollowing) return undefined;
    const leaving = new AbortController();
    followLog(id, document, leaving.signal).catch((error: unknown) => {
      if (!leaving.signal.aborted) showError("The output is no longer followed", error);
    });
    return () => leaving.abort();
  }, [id, document, isFollowing]);
}
