// How busy the machine is: processor, memory, load, now and in the last minutes.
import { useUsage } from "~/api/usage.ts";
import type { MachineUsage } from "#protocol/usage.ts";
import { Gauge } from "~/overview/Gauge.tsx";
import { formatBytes, formatPercent } from "~/util/format.ts";

export function MachineLoad() {
  const { history } = useUsage();
  const machine = history.at(-1)?.machine;
  const pointsOf = (value: (machine: MachineUsage) => number | undefined) =>
    history.map((moment) => ({ atMs: moment.atMs, value: value(moment.machine) ?? 0 }));
  const [, five, fifteen] = machine?.load ?? [];
  return (
    <ul className="py-1">
      <Gauge
        name="CPU"
        points={pointsOf(({ cpu }) => cpu)}
        most={1}
        format={formatPercent}
        detail={machine === undefined ? undefined : `of ${processorsText(machine.processors)}`}
      />
      <Gauge
        name="Memory"
        points={pointsOf(({ memoryUsedBytes }) => memoryUsedBytes)}
        most={machine?.memoryBytes}
        format={formatBytes}
        detail={machine === undefined ? undefined : `of ${formatBytes(machine.memoryBytes)}`}
      />
      <Gauge
        name="Load"
        points={pointsOf(({ load }) => load[0])}
        least={machine?.processors ?? 1}
        format={loadText}
        detail={
          five === undefined || fifteen === undefined ? undefined : `${loadText(five)} ${loadText(fifteen)}`
        }
      />
    </ul>
  );
}

function processorsText(count: number): string {
  return count === 1 ? "1 processor" : `${count} processors`;
}

function loadText(load: number): string {
  return load.toFixed(2);
}
