// What a process writes, into the document as it comes: at most once per frame of the screen, and never a backlog. Whoever writes faster
// than anybody can look is shown at its end; everything in between can still be scrolled to.
import { isHoldfastError } from "#protocol/errors.ts";
import { client } from "~/api/client.ts";
import type { LogDocument } from "~/processes/output/log-document.ts";
import type { LogPart } from "~/processes/output/log-lines.ts";

// What one frame takes in: 60 of them in a second are 8 MB/s, far more than anybody reads.
const frameBytes = 131_072;
const mostLagBytes = 1_048_576;

function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve()));
}

/** Ends when the process has ended and all was told, or when the signal fires. */
export async function followLog(id: string, document: LogDocument, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const from = await document.readTail();
      if (signal.aborted || (await followFrom(id, document, from, signal)) === "ended") return;
    } catch (error) {
      if (signal.aborted) return;
      // Overtaken before the first byte: begin at the end again.
      if (!isHoldfastError(error, "OUTPUT_TRIMMED")) throw error;
    }
    await nextFrame();
  }
}

async function followFrom(
  id: string,
  document: LogDocument,
  from: number,
  signal: AbortSignal,
): Promise<"ended" | "behind"> {
  let waiting: LogPart[] = [];
  let waitingBytes = 0;
  let frame: Promise<void> | undefined;
  const show = (): void => {
    if (!signal.aborted) document.append(waiting);
    waiting = [];
    waitingBytes = 0;
    frame = undefined;
  };
  for await (const event of client.output(id, { from, windowBytes: frameBytes, signal })) {
    if (event.kind === "end") break;
    if (event.kind === "missing") {
      show();
      return "behind";
    }
    if (event.kind !== "data") continue;
    const { offset, at, stream, bytes } = event;
    waiting.push({ offset, atMs: at, stream, bytes });
    waitingBytes += bytes.length;
    frame ??= nextFrame().then(show);
    // The daemon sends no more than it was promised: while we wait here, it does too.
    if (waitingBytes >= frameBytes) await frame;
    if (document.state.get().end - offset > mostLagBytes) return "behind";
  }
  show();
  await document.refresh();
  return "ended";
}
