import { Command } from "commander";
import type { InputWait, ProcessDetail } from "../../protocol/process.ts";
import type { Cli } from "../context.ts";
import { formatDuration } from "../format/duration.ts";
import { stateText } from "../format/exit.ts";
import { renderFacts, type Fact } from "../format/facts.ts";
import { formatSize } from "../format/size.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";
import { sharesText } from "./share.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Tell everything about one process.")
    .argument("<id>", processArgument);
  return withJson(command).action(async (id: string, { json }: JsonOption) => {
    const client = await cli.client();
    const detail = await client.process.get({ id });
    if (json === true) cli.printJson(detail);
    else cli.print(renderProcess(cli, detail));
  });
}

export function renderProcess(cli: Cli, detail: ProcessDetail): string {
  return renderFacts(factsOf(detail), cli.paint);
}

const waitTexts: Readonly<Record<InputWait["waits"], string>> = {
  yes: "waits for input",
  password: "waits for a password",
  no: "no",
  unknown: "unknown",
};

function factsOf(detail: ProcessDetail): Fact[] {
  return [...identityFacts(detail), ...timeFacts(detail), ...resourceFacts(detail)];
}

function identityFacts(detail: ProcessDetail): Fact[] {
  const { exit, owner, labels } = detail;
  return [
    ["id", detail.id],
    ["name", detail.name],
    ["command", detail.command],
    ["directory", detail.cwd],
    ["mode", detail.mode === "pty" ? `pty ${detail.columns}×${detail.rows}` : detail.mode],
    ["state", stateText(detail)],
    ["why", exit?.kind === "spawn_failed" ? exit.message : undefined],
    ["last seen", exit?.kind === "lost" ? exit.lastSeen : undefined],
    ["stop asked by", detail.stopBy === null ? undefined : Object.values(detail.stopBy).join(" ")],
    ["session", owner.session],
    ["shared", sharesText(detail.shares)],
    ["task", owner.task],
    [
      "labels",
      Object.entries(labels)
        .map(([key, value]) => `${key}=${value}`)
        .join(" ") || undefined,
    ],
    ["lifetime", detail.lifetime],
    ["confined", confinedText(detail)],
  ];
}

function confinedText({ confined, confinement }: ProcessDetail): string | undefined {
  if (!confined) return undefined;
  // Devices are written by everything, and say nothing.
  const places = confinement?.write.filter((path) => !path.startsWith("/dev/"));
  return places === undefined ? "yes" : `may write below ${places.join(", ")}`;
}

function timeFacts({ createdAt, startedAt, endedAt, uptimeMs, limits }: ProcessDetail): Fact[] {
  return [
    ["started", startedAt ?? `${createdAt} (asked for)`],
    ["ended", endedAt],
    ["time", formatDuration(uptimeMs)],
    ["time limit", limits.wallMs === undefined ? undefined : formatDuration(limits.wallMs)],
    ["idle limit", limits.idleMs === undefined ? undefined : formatDuration(limits.idleMs)],
    ["memory limit", limits.memoryBytes === undefined ? undefined : formatSize(limits.memoryBytes)],
  ];
}

function resourceFacts(detail: ProcessDetail): Fact[] {
  const isLive = detail.state !== "ended";
  const { usage, inputWait } = detail;
  return [
    ["pid", detail.pid === null ? undefined : String(detail.pid)],
    ["processes", isLive || detail.processes > 0 ? String(detail.processes) : undefined],
    [
      "cpu",
      isLive
        ? formatDuration(detail.cpuMs)
        : usage && formatDuration((usage.userUs + usage.systemUs) / 1_000),
    ],
    [
      "memory",
      isLive ? formatSize(detail.memoryBytes) : usage && `${formatSize(usage.maxRssKib * 1024)} at most`,
    ],
    ["stdin", isLive ? detail.stdin : undefined],
    ["input", isLive ? waitTexts[inputWait.waits] + (inputWait.guess ? " (a guess)" : "") : undefined],
    [
      "output",
      `${formatSize(detail.outputBytes)}${detail.droppedBytes > 0 ? `, ${formatSize(detail.droppedBytes)} dropped` : ""}`,
    ],
    ["last line", detail.lastLine || undefined],
    ["files", detail.directory],
  ];
}
