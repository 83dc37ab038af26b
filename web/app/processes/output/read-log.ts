// Reads a part of a log from the daemon, as bytes: only bytes have exact offsets.
import type { OutputOutput } from "#protocol/output.ts";
import { client } from "~/api/client.ts";
import type { LogPart } from "~/processes/output/log-lines.ts";

export interface KeptRange {
  readonly from: number;
  readonly to: number;
}

export interface LogExtent {
  readonly end: number;
  readonly kept: readonly KeptRange[];
}

export interface LogRead extends LogExtent {
  /** Contiguous from where it was asked; may end early where something is not kept. */
  readonly parts: readonly LogPart[];
}

export interface LogSource {
  extent(signal: AbortSignal): Promise<LogExtent>;
  /** The newest so many bytes, or what there is: one question, because a flood has moved on before a second one is answered. */
  tail(bytes: number, signal: AbortSignal): Promise<LogRead>;
  /** @throws HoldfastError OUTPUT_TRIMMED when the first byte is no longer kept */
  read(from: number, to: number, signal: AbortSignal): Promise<LogRead>;
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function partsOf({ pieces = [] }: OutputOutput): LogPart[] {
  return pieces.map(({ offset, at, stream, text }) => ({
    offset,
    atMs: Date.parse(at),
    stream,
    bytes: fromBase64(text),
  }));
}

/** The output of one process. */
export function logSource(id: string): LogSource {
  return {
    extent: async (signal) => {
      const { end, kept } = await client.process.output({ id, tailBytes: 1, limitBytes: 1 }, { signal });
      return { end, kept };
    },
    tail: async (bytes, signal) => {
      const input = { id, tailBytes: bytes, limitBytes: bytes, format: "raw", pieces: true } as const;
      const answer = await client.process.output(input, { signal });
      return { end: answer.end, kept: answer.kept, parts: partsOf(answer) };
    },
    read: async (from, to, signal) => {
      const parts: LogPart[] = [];
      let next = from;
      let extent: LogExtent = { end: 0, kept: [] };
      // An answer may be cut short so that it ends at a character; the rest comes with the next one.
      while (next < to) {
        const input = { id, from: next, limitBytes: to - next, format: "raw", pieces: true } as const;
        const answer = await client.process.output(input, { signal });
        extent = { end: answer.end, kept: answer.kept };
        const hole = answer.omitted[0];
        parts.push(...partsOf(answer).filter(({ offset }) => hole === undefined || offset < hole.from));
        if (hole !== undefined || answer.next <= next) break;
        ({ next } = answer);
        if (next >= answer.end) break;
      }
      return { ...extent, parts };
    },
  };
}
