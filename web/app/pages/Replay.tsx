// A process as it was, with its timing.
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { PageHeader } from "~/layouts/PageHeader.tsx";
import { fetchCast, outputFile } from "~/api/output-file.ts";
import { ReplayView } from "~/replay/ReplayView.tsx";
import { Empty, Failed, Loading } from "~/ui/States.tsx";
import { path } from "~/util/path.ts";

export function Component() {
  const { id = "" } = useParams();
  const cast = useQuery({
    queryKey: ["cast", id],
    queryFn: ({ signal }) => fetchCast(id, signal),
    staleTime: Infinity,
  });
  return (
    <div className="flex h-full flex-col">
      <PageHeader title="Replay">
        <a className="text-accent underline" href={outputFile(id, "asciicast")} download>
          Download asciicast
        </a>
        <Link className="text-accent underline" to={path.process(id)}>
          To the process
        </Link>
      </PageHeader>
      {cast.isPending ? <Loading label="Loading the recording" /> : null}
      {cast.error === null ? null : <Failed error={cast.error} onRetry={() => void cast.refetch()} />}
      {cast.data?.events.length === 0 ? <Empty title="It wrote nothing that was kept" /> : null}
      {cast.data !== undefined && cast.data.events.length > 0 ? <ReplayView cast={cast.data} /> : null}
    </div>
  );
}
