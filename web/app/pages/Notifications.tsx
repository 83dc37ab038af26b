// Notices with what can be done about them, and deliveries that nobody took.
import { useEffect } from "react";
import { BellRing, CheckCheck } from "lucide-react";
import { useSearchParams } from "react-router";
import { useRoleReason } from "~/api/me.ts";
import { acknowledge, notices, refreshNotices } from "~/api/notices.ts";
import { PageHeader } from "~/layouts/PageHeader.tsx";
import { BrowserNotifications } from "~/notifications/BrowserNotifications.tsx";
import { DeadLetters } from "~/notifications/DeadLetters.tsx";
import { NoticeRow } from "~/notifications/NoticeRow.tsx";
import { filterNotices, noticeViews, readView } from "~/notifications/notice-filter.ts";
import { Button } from "~/ui/Button.tsx";
import { Panel } from "~/ui/Panel.tsx";
import { Empty, Loading } from "~/ui/States.tsx";
import { showError } from "~/ui/toasts.tsx";
import { useStore } from "~/util/store.ts";

export function Component() {
  const known = useStore(notices);
  const role = useRoleReason("operator");
  useEffect(() => {
    const leaving = new AbortController();
    refreshNotices(leaving.signal).catch((error: unknown) => {
      if (!leaving.signal.aborted) showError("The notices may be out of date", error);
    });
    return () => leaving.abort();
  }, []);
  const [search, setSearch] = useSearchParams();
  const view = readView(search.get("view"));
  const shown = known === undefined ? undefined : filterNotices(known, view);
  const owed = (known ?? []).filter(({ state }) => state === "pending");
  const acknowledgeAll = (): void => {
    acknowledge(owed.map(({ id }) => id)).catch((error: unknown) => showError("Not acknowledged", error));
  };
  return (
    <>
      <PageHeader title="Notifications">
        <BrowserNotifications />
        <Button
          disabledReason={role ?? (owed.length === 0 ? "Nothing is unread" : undefined)}
          onClick={acknowledgeAll}
          icon={<CheckCheck size={15} aria-hidden />}
        >
          Acknowledge all
        </Button>
      </PageHeader>
      <div className="flex flex-col gap-3 px-3 pb-4 md:px-4">
        <fieldset className="flex flex-wrap gap-1">
          <legend className="sr-only">Which notices</legend>
          {noticeViews.map(({ key, label }) => (
            <button
              key={key}
              type="button"
              aria-pressed={view === key}
              onClick={() => setSearch(key === "unread" ? {} : { view: key }, { replace: true })}
              className={`h-8 rounded-md px-3 ${view === key ? "bg-accent-soft font-medium text-accent" : "text-muted hover:bg-sunken"}`}
            >
              {label}
            </button>
          ))}
        </fieldset>
        <Panel title={noticeViews.find(({ key }) => key === view)?.label ?? "Notices"}>
          {shown === undefined ? <Loading lines={6} /> : null}
          {shown?.length === 0 ? (
            <Empty title="Nothing here" icon={<BellRing size={28} aria-hidden />}>
              A process started with <code className="font-mono">--notify</code>, a job, a watch or an
              approval tells you here.
            </Empty>
          ) : null}
          <ul className="divide-y divide-line">
            {shown?.map((notice) => (
              <NoticeRow key={notice.id} notice={notice} />
            ))}
          </ul>
        </Panel>
        <DeadLetters />
      </div>
    </>
  );
}
