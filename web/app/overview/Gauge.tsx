// One live figure: its name, how it is now, and how it was in the last minutes. Its place is there before the first sample is.
import { Sparkline, type SparkPoint } from "~/ui/Sparkline.tsx";
import { formatDuration } from "~/util/format.ts";

export interface GaugeProps {
  readonly name: string;
  /** Oldest first; the last one is now. */
  readonly points: readonly SparkPoint[];
  /** The upper edge of the chart; without it the highest value, but not less than this. */
  readonly most?: number | undefined;
  readonly least?: number;
  readonly format: (value: number) => string;
  /** What the figure is a part of, or another one beside it. */
  readonly detail?: string | undefined;
}

export function Gauge({ name, points, most, least = 0, format, detail }: GaugeProps) {
  const now = points.at(-1)?.value;
  const highest = points.reduce((sum, { value }) => Math.max(sum, value), least);
  return (
    <li className="grid grid-cols-[minmax(9rem,2fr)_3fr] items-center gap-3 px-3 py-1">
      <p className="min-w-0 truncate text-xs text-muted">
        {name}{" "}
        <span className="text-sm font-medium text-text tabular-nums">
          {now === undefined ? "–" : format(now)}
        </span>
        {detail === undefined ? "" : ` ${detail}`}
      </p>
      <Sparkline points={points} most={most ?? highest} label={wordsOf(name, points, format)} />
    </li>
  );
}

function wordsOf(name: string, points: readonly SparkPoint[], format: (value: number) => string): string {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return `${name}: not known yet`;
  if (first === last) return `${name}: ${format(last.value)}`;
  const values = points.map(({ value }) => value);
  const range = `between ${format(Math.min(...values))} and ${format(Math.max(...values))}`;
  return `${name}: ${format(last.value)}; ${range} in the last ${formatDuration(last.atMs - first.atMs)}`;
}
