// Notices about one process: those that are there, and each as it comes.
import { useMemo } from "react";
import { useQuery } from "@tanstack/react-query";
import type { ListedProcess } from "#protocol/control.ts";
import { client } from "~/api/client.ts";
import { notices } from "~/api/notices.ts";
import { NoticeRow } from "~/notifications/NoticeRow.tsx";
import { Empty, Failed, Loading } from "~/ui/States.tsx";
import { useStore } from "~/util/store.ts";

const mostListed = 500;

export function NoticesTab({ process }: { process: ListedProcess }) {
  const heard = useStore(notices);
  const listed = useQuery({
    queryKey: ["notices", process.id],
    queryFn: ({ signal }) =>
      client.notifications.list({ process: process.id, limit: mostListed }, { signal }),
  });
  const shown = useMemo(() => {
    const own = (heard ?? []).filter(({ processId }) => processId === process.id);
    // What was heard since is newer than what was listed.
    const known = new Map([...(listed.data?.notices ?? []), ...own].map((notice) => [notice.id, notice]));
    return [...known.values()].toSorted((a, b) => b.cursor - a.cursor);
  }, [heard, listed.data, process.id]);
  if (listed.error !== null) return <Failed error={listed.error} onRetry={() => void listed.refetch()} />;
  if (listed.data === undefined) return <Loading lines={3} label="Loading notices" />;
  if (shown.length === 0) return <Empty title="There are no notices about it" />;
  return (
    <ul aria-label="Notices" className="divide-y divide-line p-2 md:p-3">
      {shown.map((notice) => (
        <NoticeRow key={notice.id} notice={notice} />
      ))}
    </ul>
  );
}
