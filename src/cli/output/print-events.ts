// The three ways `logs` prints what it is told: for people, byte for byte, as JSON lines.
import type { Client } from "../../client/index.ts";
import { writeOut } from "../terminal/write-out.ts";
import { LogPrinter, type StreamName } from "./log-printer.ts";
import { RawPrinter } from "./raw-printer.ts";

export type OutputEvents = ReturnType<Client["output"]>;
export type OutputEvent = OutputEvents extends AsyncIterable<infer Event> ? Event : never;

export interface PrintOptions {
  readonly timestamps: boolean;
  readonly stream: StreamName | "both";
  readonly note: (text: string) => void;
}

// A line that stays unfinished this long is shown as it is.
const pauseMs = 200;

function missingText({ from, to, why }: Extract<OutputEvent, { kind: "missing" }>): string {
  return `[${to - from} bytes are not there: offsets ${from} to ${to}, ${why}]`;
}

function isWanted(event: OutputEvent, { stream }: PrintOptions): boolean {
  return event.kind !== "data" || stream === "both" || event.stream === stream;
}

export async function printLines(events: OutputEvents, options: PrintOptions): Promise<void> {
  const printer = new LogPrinter(options);
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const event of events) {
      clearTimeout(timer);
      if (!isWanted(event, options)) continue;
      if (event.kind === "missing") {
        await writeOut(printer.end());
        options.note(missingText(event));
      }
      if (event.kind === "data") await writeOut(printer.push(event.stream, event.bytes, event.at));
      timer = setTimeout(() => void writeOut(printer.pause()), pauseMs);
    }
  } finally {
    clearTimeout(timer);
    await writeOut(printer.end());
  }
}

export async function printRaw(events: OutputEvents, options: PrintOptions): Promise<void> {
  const printer = new RawPrinter(options);
  for await (const event of events) {
    if (!isWanted(event, options)) continue;
    if (event.kind === "missing") options.note(missingText(event));
    if (event.kind === "data") await writeOut(printer.push(event.bytes, event.at));
  }
}

/**
 * One object per line; the bytes of a piece as text, or in base64 when they are wanted raw. The last line is the cursor
 * to go on with.
 */
export async function printJsonLines(
  events: OutputEvents,
  options: PrintOptions & { readonly raw: boolean; readonly from: number },
): Promise<void> {
  let decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const print = (value: object): Promise<void> => writeOut(`${JSON.stringify(value)}\n`);
  let next = options.from;
  for await (const event of events) {
    next = nextOf(event, next);
    if (!isWanted(event, options) || event.kind === "end") continue;
    if (event.kind === "data") {
      const { kind, offset, stream, bytes } = event;
      const content = options.raw
        ? { base64: Buffer.from(bytes).toString("base64") }
        : { text: decoders[stream].decode(bytes, { stream: true }) };
      await print({ kind, offset, at: new Date(event.at).toISOString(), stream, ...content });
    } else await print(event);
    if (event.kind === "missing") decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  }
  await print({ kind: "end", next });
}

function nextOf(event: OutputEvent, before: number): number {
  if (event.kind === "data") return event.offset + event.bytes.length;
  if (event.kind === "missing") return event.to;
  return event.kind === "end" ? event.next : before;
}
