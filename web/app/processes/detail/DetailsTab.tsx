// All facts about a process, and the names of its environment variables.
import type { Limits, ProcessDetail } from "#protocol/process.ts";
import { Facts, type Fact } from "~/processes/detail/Facts.tsx";
import { exitText } from "~/util/exit-text.ts";
import { formatBytes, formatDuration, formatTime } from "~/util/format.ts";
import { Panel } from "~/ui/Panel.tsx";

function Mono({ children }: { children: string }) {
  return <span className="font-mono text-xs break-all">{children}</span>;
}

function time(at: string | null): string | undefined {
  return at === null ? undefined : formatTime(at);
}

function identity(detail: ProcessDetail): Fact[] {
  const { owner, labels, exit } = detail;
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return [
    ["Id", <Mono key="id">{detail.id}</Mono>],
    ["Name", detail.name],
    ["Command", <Mono key="command">{detail.command}</Mono>, "wide"],
    ["Directory", <Mono key="cwd">{detail.cwd}</Mono>, "wide"],
    ["Directory at end", detail.endCwd === null ? undefined : <Mono key="end">{detail.endCwd}</Mono>],
    ["State", exitText(detail)],
    ["Last seen", exit?.kind === "lost" ? formatTime(exit.lastSeen) : undefined],
    ["Stop asked by", detail.stopBy === null ? undefined : Object.values(detail.stopBy).join(" ")],
    ["Session", owner.session],
    ["Task", owner.task],
    ["Profile", owner.profile],
    ["Labels", pairs.join(", ")],
    ["Lifetime", detail.lifetime],
    ["Shared with", detail.shares.map(({ session, right }) => `${session} (${right})`).join(", ")],
    ["Confined", detail.confined ? "yes" : undefined],
    ["May write in", detail.confinement?.write.join(", "), "wide"],
    ["Kind", detail.kind],
    ["Notifies", { off: "nobody", end: "of its end", failure: "of a failure" }[detail.notify]],
  ];
}

function times(detail: ProcessDetail): Fact[] {
  const { usage, mode, columns, rows } = detail;
  return [
    ["Asked for", time(detail.createdAt)],
    ["Started", time(detail.startedAt)],
    ["Ended", time(detail.endedAt)],
    ["Process id", detail.pid],
    [
      "Terminal",
      mode === "pty" ? `${columns} × ${rows}` : `none, ${mode === "merged" ? "one pipe" : "two pipes"}`,
    ],
    ["Standard input", detail.state === "ended" ? undefined : detail.stdin],
    ["Processor time", usage === null ? undefined : formatDuration((usage.userUs + usage.systemUs) / 1_000)],
    ["Most memory", usage === null ? undefined : formatBytes(usage.maxRssKib * 1_024)],
    ["Output", formatBytes(detail.outputBytes)],
    ["Not kept of it", detail.droppedBytes === 0 ? undefined : formatBytes(detail.droppedBytes)],
    ["Files", <Mono key="files">{detail.directory}</Mono>, "wide"],
  ];
}

function limitFacts(limits: Limits): Fact[] {
  const duration = (ms: number | undefined): string | undefined =>
    ms === undefined ? undefined : formatDuration(ms);
  const bytes = (count: number | undefined): string | undefined =>
    count === undefined ? undefined : formatBytes(count);
  return [
    ["Time", duration(limits.wallMs)],
    ["Silence", duration(limits.idleMs)],
    ["Memory", bytes(limits.memoryBytes)],
    ["Output", bytes(limits.outputBytes)],
    ["Output kept: head", bytes(limits.headBytes)],
    ["Output kept: newest", bytes(limits.tailBytes)],
    ["Grace", duration(limits.graceMs)],
    ...Object.entries(limits.rlimits ?? {}).map(([name, { soft, hard }]): Fact => [
      name,
      `${soft} (at most ${hard})`,
    ]),
  ];
}

export function DetailsTab({ detail }: { detail: ProcessDetail }) {
  const limits = limitFacts(detail.limits).filter(([, value]) => value !== undefined);
  return (
    <div className="flex flex-col gap-3 p-3 md:p-4">
      <Panel title="Process">
        <Facts facts={identity(detail)} />
      </Panel>
      <Panel title="Times and resources">
        <Facts facts={times(detail)} />
      </Panel>
      <Panel title="Limits">
        {limits.length === 0 ? <p className="p-3 text-muted">None of its own.</p> : <Facts facts={limits} />}
      </Panel>
    </div>
  );
}
