// What `get` and `list` tell beyond the record: a look at the processes and files themselves.
import { readSpec, type Confinement } from "../../keeper/index.ts";
import type { ListedProcess } from "../../protocol/control.ts";
import type { ProcessDetail, ProcessView } from "../../protocol/process.ts";
import type { ProcessRecord } from "../../store/index.ts";
import { directoryOf, keptProcess, type ProcessContext } from "../context.ts";
import { outputExtent } from "../finish-process.ts";
import { isOutputClosed, leftNobody } from "../output/is-output-closed.ts";
import { plainText } from "../output/plain-text.ts";
import type { OutputSource } from "../output/read-output.ts";
import { readTail } from "../output/read-tail.ts";
import { viewProcess, viewShare } from "../view.ts";
import { inputWait } from "./input-wait.ts";
import { isQuietPrompt } from "./quiet-prompt.ts";
import { processesUsage, treeOf } from "./tree-usage.ts";

const lastLineBytes = 4_096;
/** A longer last line is cut. */
export const lastLineCharacters = 200;

/** The record, with the size of output that is still growing. */
export async function currentView(context: ProcessContext, record: ProcessRecord): Promise<ProcessView> {
  const view = viewProcess(record);
  if (record.outputRemoved) return view;
  const { headBytes = context.config().output.headBytes } = record.spec.limits;
  // What fits into the head is all there, and no longer grows.
  if (leftNobody(record) && record.outputBytes <= headBytes) return view;
  const extent = await outputExtent(directoryOf(context, record.id));
  return { ...view, outputBytes: Math.max(view.outputBytes, extent.end), droppedBytes: extent.droppedBytes };
}

export async function lastLine(context: ProcessContext, record: ProcessRecord): Promise<string> {
  if (record.outputRemoved) return "";
  const tail = await readTail(directoryOf(context, record.id), lastLineBytes).catch(() => undefined); // removed under us
  const lines = plainText(tail?.bytes.toString("utf8") ?? "").split("\n");
  return (lines.findLast((line) => line.trim() !== "") ?? "").slice(0, lastLineCharacters);
}

export async function outputSource(context: ProcessContext, record: ProcessRecord): Promise<OutputSource> {
  return {
    id: record.id,
    directory: directoryOf(context, record.id),
    state: record.state,
    startedAtMs: record.startedAt ?? record.createdAt,
    isClosed: await isOutputClosed(context, record),
  };
}

export async function listedView(
  context: ProcessContext,
  record: ProcessRecord,
  details: boolean,
): Promise<ListedProcess> {
  const view = await currentView(context, record);
  if (!details) return view;
  const usage = await processesUsage(directoryOf(context, record.id), record);
  return {
    ...view,
    cpuMs: usage.cpuMs,
    memoryBytes: usage.memoryBytes,
    lastLine: await lastLine(context, record),
  };
}

function viewConfinement({ write, hide, show }: Confinement): ProcessDetail["confinement"] {
  return { write: [...write], hide: [...hide], show: [...show] };
}

export async function detailView(context: ProcessContext, record: ProcessRecord): Promise<ProcessDetail> {
  const directory = directoryOf(context, record.id);
  const isLive = record.state !== "ended" && record.pid !== null;
  const kept = keptProcess(context, record.id);
  try {
    const [view, usage, line, spec, shares, state] = await Promise.all([
      currentView(context, record),
      processesUsage(directory, record),
      lastLine(context, record),
      readSpec(directory).catch(() => undefined), // removed with its output
      context.store.shares.ofProcess(record.id),
      isLive ? kept.state().catch(() => undefined) : undefined, // ending at this moment
    ]);
    const terminal = state?.terminal;
    const waits =
      isLive && terminal !== undefined
        ? await inputWait(await treeOf(record.pid), {
            ...terminal,
            isQuietPrompt: await isQuietPrompt(directory),
          })
        : // Without a terminal nothing tells what a read of the pipe means; with nothing to read there is no question.
          ({ waits: isLive && state?.stdin === "open" ? "unknown" : "no", guess: false } as const);
    return {
      ...view,
      ...usage,
      lastLine: line,
      inputWait: waits,
      stdin: state?.stdin ?? "closed",
      columns: state?.columns ?? 0,
      rows: state?.rows ?? 0,
      environmentNames: [...(spec?.environmentNames ?? [])],
      confinement: spec?.confinement === undefined ? null : viewConfinement(spec.confinement),
      directory,
      shares: shares.map(viewShare),
    };
  } finally {
    kept.close();
  }
}
