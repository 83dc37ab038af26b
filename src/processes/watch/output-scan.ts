// The output of a process as it is read, looked at for all its watches. Knows no time but that of the output itself, so
// that the same bytes give the same matches, however they came and wherever a scan was broken off.
import type { OutputEvent } from "../../keeper/index.ts";
import type { MatchedLine } from "./matched-line.ts";
import { RateWindow } from "./rate-window.ts";
import { resumeAt, type ScanState } from "./scan-state.ts";
import { StreamScan, type StreamName } from "./stream-scan.ts";
import type { Gap, RateWatch, ScanRequest } from "./worker-messages.ts";

export interface ScanListener {
  readonly onMatch: (found: MatchedLine & { readonly offset: number }) => void;
  readonly onGap: (gap: Gap) => void;
}

interface Rate {
  readonly watch: RateWatch;
  readonly window: RateWindow;
}

export type ScanInput = Pick<ScanRequest, "lines" | "rates" | "state" | "until">;

export class OutputScan {
  readonly #input: ScanInput;
  readonly #listener: ScanListener;
  readonly #streams: Readonly<Record<StreamName, StreamScan>>;
  readonly #rates: readonly Rate[];
  #position: number;
  #stream: StreamName = "stdout";
  #timeUs = 0;

  constructor(input: ScanInput, listener: ScanListener) {
    this.#input = input;
    this.#listener = listener;
    this.#position = resumeAt(input.state);
    this.#streams = { stdout: this.#newStream("stdout"), stderr: this.#newStream("stderr") };
    this.#rates = input.rates.map((watch) => {
      return { watch, window: new RateWindow(watch, input.state.rates[watch.id]) };
    });
  }

  /** Of the next byte to read. */
  get position(): number {
    return this.#position;
  }

  get state(): ScanState {
    const { stdout, stderr } = this.#streams;
    return {
      stdout: stdout.place(Math.max(this.#position, this.#input.state.stdout.at)),
      stderr: stderr.place(Math.max(this.#position, this.#input.state.stderr.at)),
      rates: Object.fromEntries(this.#rates.map(({ watch, window }) => [watch.id, window.state])),
    };
  }

  /** Everything that begins before `until` has been seen to its end. */
  get isPast(): boolean {
    const { until } = this.#input;
    if (until === null || this.#position < until) return false;
    return Object.values(this.#streams).every((scan) => (scan.start ?? until) >= until);
  }

  take(event: OutputEvent): void {
    switch (event.kind) {
      case "data":
        this.#data(event.bytes, event.offset);
        break;
      case "mark":
        if (event.mark !== "stdout" && event.mark !== "stderr") break;
        this.#stream = event.mark;
        this.#timeUs = event.timeUs;
        break;
      case "missing":
        this.miss({ from: event.from, to: event.to });
        break;
      case "end":
        break;
    }
  }

  /** Nothing came for a moment: what stands there without an end is a prompt. */
  look(): void {
    for (const scan of Object.values(this.#streams)) scan.look();
  }

  /** Nothing more comes: lines without an end are looked at as they are. */
  end(): void {
    for (const scan of Object.values(this.#streams)) scan.end();
  }

  /** Goes on behind what nobody can read any more. */
  miss(gap: Gap): void {
    this.end();
    this.#position = gap.to;
    this.#listener.onGap(gap);
  }

  #newStream(stream: StreamName): StreamScan {
    const { lines, state, until } = this.#input;
    const { onMatch } = this.#listener;
    return new StreamScan({
      stream,
      watches: lines,
      until: until ?? Infinity,
      place: state[stream],
      onMatch,
    });
  }

  #data(bytes: Buffer, offset: number): void {
    this.#position = offset + bytes.length;
    // What this stream had finished when the other had not: it was counted then.
    const skip = Math.max(0, this.#input.state[this.#stream].at - offset);
    if (skip >= bytes.length) return;
    const fresh = bytes.subarray(skip);
    this.#streams[this.#stream].push(fresh, offset + skip);
    this.#measure(fresh, offset + skip);
  }

  #measure(bytes: Buffer, offset: number): void {
    for (const { watch, window } of this.#rates) {
      const amount = watch.unit === "bytes" ? bytes.length : countNewlines(bytes);
      if (!window.add(this.#timeUs, amount)) continue;
      const line = `more than ${watch.most} ${watch.unit} within ${watch.perMs} ms`;
      this.#listener.onMatch({ offset, stream: this.#stream, line, watches: [watch.id] });
    }
  }
}

function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) count += 1;
  return count;
}
