// A figure over time as a small line. Who cannot see it gets the figure in words.
export interface SparkPoint {
  readonly atMs: number;
  readonly value: number;
}

export interface SparklineProps {
  /** Oldest first. */
  readonly points: readonly SparkPoint[];
  /** What the upper edge stands for. */
  readonly most: number;
  readonly label: string;
  readonly className?: string;
}

// Its own units; the element gives it a size.
const width = 300;
const height = 32;
// A page that was just opened shows a short line at the right, not one that is stretched.
const leastMs = 60_000;
// Nobody looked in between: then nothing is drawn there.
const longestStepMs = 10_000;

export function Sparkline({ points, most, label, className = "" }: SparklineProps) {
  const stretches = stretchesOf(points, most);
  return (
    <svg
      // Drawn anew with every sample: an img would need an address.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={`h-7 w-full rounded-sm bg-sunken ${className}`}
    >
      {stretches.map((line) => (
        <g key={line[0]?.x}>
          <path
            d={`${pathOf(line)}L${line.at(-1)?.x} ${height}L${line[0]?.x} ${height}Z`}
            fill="var(--accent-soft)"
          />
          <path
            d={pathOf(line)}
            fill="none"
            stroke="var(--accent)"
            strokeWidth={1.5}
            vectorEffect="non-scaling-stroke"
          />
        </g>
      ))}
    </svg>
  );
}

interface Place {
  readonly x: number;
  readonly y: number;
}

function stretchesOf(points: readonly SparkPoint[], most: number): Place[][] {
  const endMs = points.at(-1)?.atMs ?? 0;
  const spanMs = Math.max(leastMs, endMs - (points[0]?.atMs ?? endMs));
  const stretches: Place[][] = [];
  let beforeMs = Number.NEGATIVE_INFINITY;
  for (const { atMs, value } of points) {
    if (atMs - beforeMs > longestStepMs) stretches.push([]);
    beforeMs = atMs;
    const share = most > 0 ? Math.min(1, value / most) : 0;
    // A line at the edge would be cut in half.
    stretches.at(-1)?.push({
      x: round(width * (1 - (endMs - atMs) / spanMs)),
      y: round(height - 1 - share * (height - 2)),
    });
  }
  return stretches;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function pathOf(line: readonly Place[]): string {
  return line.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");
}
