// The last line of a process: told with the live figures, or looked up once for one that had ended before.
import { useQuery } from "@tanstack/react-query";
import type { ListedProcess } from "#protocol/control.ts";
import { client } from "~/api/client.ts";

const tailBytes = 4_096;
const mostCharacters = 200;

async function readLastLine(id: string, signal: AbortSignal): Promise<string> {
  const { text = "" } = await client.process.output({ id, tailBytes, redact: true }, { signal });
  return (text.split("\n").findLast((line) => line.trim() !== "") ?? "").slice(0, mostCharacters);
}

interface LastLineProps {
  readonly process: ListedProcess;
  readonly told: string | undefined;
  /** Rows that only pass by are not worth a look. */
  readonly isPassing: boolean;
}

export function LastLine({ process, told, isPassing }: LastLineProps) {
  const hasOutput = process.outputBytes > 0 && !process.outputRemoved;
  const line = useQuery({
    queryKey: ["last-line", process.id],
    queryFn: ({ signal }) => readLastLine(process.id, signal),
    enabled: told === undefined && process.state === "ended" && hasOutput && !isPassing,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const text = told ?? line.data ?? "";
  return <span title={text}>{text}</span>;
}
