// What the daemon itself uses, and how long something had to wait for it.
import { useUsage } from "~/api/usage.ts";
import type { DaemonUsage } from "#protocol/usage.ts";
import { Gauge } from "~/overview/Gauge.tsx";
import { formatBytes, formatPercent } from "~/util/format.ts";

// Below these a line that fills its box would look like trouble.
const leastCpu = 0.25;
const leastDelayMs = 100;

export function DaemonLoad() {
  const { history } = useUsage();
  const pointsOf = (value: (daemon: DaemonUsage) => number) =>
    history.map((moment) => ({ atMs: moment.atMs, value: value(moment.daemon) }));
  const memory = pointsOf(({ memoryBytes }) => memoryBytes);
  return (
    <ul className="border-t border-line py-1">
      <Gauge name="CPU" points={pointsOf(({ cpu }) => cpu)} least={leastCpu} format={formatPercent} />
      <Gauge name="Memory" points={memory} least={2 * (memory.at(-1)?.value ?? 0)} format={formatBytes} />
      <Gauge
        name="Longest wait"
        points={pointsOf(({ eventLoopDelayMs }) => eventLoopDelayMs)}
        least={leastDelayMs}
        format={(ms) => `${ms.toFixed(0)} ms`}
      />
    </ul>
  );
}
