// The processes of the tree, looked at anew with every live sample. Processor use is what was used between two looks.
import { useEffect, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import type { ListedProcess } from "#protocol/control.ts";
import type { TreeOutput, TreeProcess } from "#protocol/usage.ts";
import { client } from "~/api/client.ts";
import { useUsage } from "~/api/usage.ts";
import { Empty, Failed, Loading } from "~/ui/States.tsx";
import { formatBytes, formatDuration, formatPercent, formatTime } from "~/util/format.ts";

function useTree(process: ListedProcess): {
  readonly tree: TreeOutput | undefined;
  readonly before: TreeOutput | undefined;
  readonly error: Error | null;
} {
  const sample = useUsage().history.at(-1)?.atMs;
  const [looks, setLooks] = useState<readonly TreeOutput[]>([]);
  const isLiving = process.state !== "ended";
  const { data, error, refetch } = useQuery({
    queryKey: ["tree", process.id, process.state],
    queryFn: ({ signal }) => client.process.tree({ id: process.id }, { signal }),
  });
  useEffect(() => {
    if (isLiving && sample !== undefined) void refetch();
  }, [isLiving, sample, refetch]);
  const [newest] = looks;
  // Kept as it comes: the one before is what the next is compared with.
  if (data !== undefined && data !== newest) setLooks([data, ...looks.slice(0, 1)]);
  return { tree: looks[0], before: looks[1], error };
}

function cpuOf(process: TreeProcess, tree: TreeOutput, before: TreeOutput | undefined): number | undefined {
  const earlier = before?.processes.find(
    ({ pid, startedAt }) => pid === process.pid && startedAt === process.startedAt,
  );
  const elapsedMs = Date.parse(tree.at) - Date.parse(before?.at ?? tree.at);
  if (earlier === undefined || elapsedMs <= 0) return undefined;
  return Math.max(0, process.cpuMs - earlier.cpuMs) / elapsedMs;
}

export function TreeTab({ process }: { process: ListedProcess }) {
  const { tree, before, error } = useTree(process);
  if (error !== null) return <Failed error={error} />;
  if (tree === undefined) return <Loading lines={4} label="Loading the tree" />;
  if (tree.processes.length === 0)
    return (
      <Empty
        title={process.state === "ended" ? "Nothing of it runs any more" : "This system does not tell"}
      />
    );
  const number = "py-1 pl-3 text-right tabular-nums text-muted whitespace-nowrap";
  return (
    <div className="p-3 md:p-4">
      <table aria-label="Processes of the tree" className="w-full text-xs">
        <thead className="border-b border-line text-left text-muted">
          <tr>
            <th scope="col" className="py-1 pr-3 font-medium">
              Command
            </th>
            <th scope="col" className="py-1 pl-3 font-medium">
              State
            </th>
            <th scope="col" className={`${number} font-medium`}>
              PID
            </th>
            <th scope="col" className={`${number} font-medium`}>
              CPU
            </th>
            <th scope="col" className={`${number} font-medium`}>
              CPU time
            </th>
            <th scope="col" className={`${number} font-medium`}>
              Memory
            </th>
          </tr>
        </thead>
        <tbody>
          {tree.processes.map((each) => {
            const cpu = cpuOf(each, tree, before);
            return (
              <tr key={each.pid} className="border-b border-line">
                <td
                  className="max-w-0 min-w-40 truncate py-1 pr-3 font-mono md:w-1/2"
                  style={{ paddingLeft: `${Math.min(each.depth, 12) * 1.25}rem` }}
                  title={each.command}
                >
                  {each.command}
                </td>
                <td className="py-1 pl-3 whitespace-nowrap">{each.state}</td>
                <td
                  className={number}
                  title={each.startedAt === null ? undefined : formatTime(each.startedAt)}
                >
                  {each.pid}
                </td>
                <td className={number}>{cpu === undefined ? "–" : formatPercent(cpu)}</td>
                <td className={number}>{formatDuration(each.cpuMs)}</td>
                <td className={number}>{formatBytes(each.memoryBytes)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
