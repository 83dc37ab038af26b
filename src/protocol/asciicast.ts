// The output of a process as an asciicast v3 recording. Nothing of Node: the daemon, the command line and programs use it.
import type { LiveOutput } from "./live-output.ts";
import type { ProcessExit, ProcessView } from "./process.ts";

export const asciicastType = "application/x-asciicast";

const defaultColumns = 80;
const defaultRows = 24;
// As many decimals as asciinema writes; what is rounded away counts for the next event.
const decimals = 1000;

export class AsciicastWriter {
  readonly #process: ProcessView;
  readonly #decoder = new TextDecoder();
  #hasHeader = false;
  #lastMs: number;
  #columns = defaultColumns;
  #rows = defaultRows;

  constructor(process: ProcessView) {
    this.#process = process;
    this.#lastMs = Date.parse(process.startedAt ?? process.createdAt);
  }

  /** The lines of one event; none while only half a character came. */
  write(event: LiveOutput): string {
    if (event.kind === "resized") return this.#resize(event.columns, event.rows);
    if (event.kind === "missing")
      return this.#line("m", `${event.to - event.from} bytes were not kept`, this.#lastMs);
    if (event.kind !== "data") return "";
    const text = this.#decoder.decode(event.bytes, { stream: true });
    return text === "" ? "" : this.#line("o", text, event.at);
  }

  /** The last lines: what is left of a character, and how it ended. */
  end(): string {
    const rest = this.#decoder.decode();
    const lines = rest === "" ? "" : this.#line("o", rest, this.#lastMs);
    const { exit, endedAt } = this.#process;
    const status = exit === null ? undefined : statusOf(exit);
    if (status === undefined) return this.#withHeader(lines);
    return lines + this.#line("x", String(status), endedAt === null ? this.#lastMs : Date.parse(endedAt));
  }

  #resize(columns: number, rows: number): string {
    this.#columns = columns;
    this.#rows = rows;
    // The size it began with stands in the header.
    return this.#hasHeader ? this.#line("r", `${columns}x${rows}`, this.#lastMs) : "";
  }

  #line(code: string, data: string, atMs: number): string {
    const interval = Math.max(0, Math.round(atMs - this.#lastMs)) / decimals;
    this.#lastMs += interval * decimals;
    return this.#withHeader(`${JSON.stringify([interval, code, data])}\n`);
  }

  #withHeader(lines: string): string {
    if (this.#hasHeader) return lines;
    this.#hasHeader = true;
    const { command, name, startedAt } = this.#process;
    const header = {
      version: 3,
      term: { cols: this.#columns, rows: this.#rows, type: "xterm-256color" },
      ...(startedAt === null ? {} : { timestamp: Math.floor(Date.parse(startedAt) / 1000) }),
      command,
      ...(name === null ? {} : { title: name }),
    };
    return `${JSON.stringify(header)}\n${lines}`;
  }
}

/** As a shell tells it; undefined when nobody knows. */
function statusOf(exit: ProcessExit): number | undefined {
  if (exit.kind === "exited") return exit.code;
  return exit.kind === "signaled" ? 128 + exit.signalNumber : undefined;
}
