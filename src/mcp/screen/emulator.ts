// One terminal emulator, fed with the bytes a process wrote. It answers nothing: queries of the program are answered by nobody here.
import xterm from "@xterm/headless";
import { isHoldfastError } from "../../protocol/errors.ts";
import type { Look, Screen } from "./screens.ts";

// Of an output longer than this only the end is drawn: a full-screen program redraws itself, and 1 MiB takes some 40 ms.
const mostBytes = 1_048_576;

export class Emulator {
  readonly #terminal: xterm.Terminal;
  #fedTo = 0;
  #remark: string | undefined;
  #feeding: Promise<void> = Promise.resolve();

  constructor(columns: number, rows: number) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 0, allowProposedApi: true });
  }

  /** One look at a time: bytes must come in order. */
  feed(look: Look): Promise<void> {
    const feeding = this.#feeding.catch(() => undefined).then(() => this.#feedNow(look));
    this.#feeding = feeding;
    return feeding;
  }

  render(): Omit<Screen, "changes"> {
    const { active } = this.#terminal.buffer;
    const lines = Array.from({ length: this.#terminal.rows }, (_, row) =>
      (active.getLine(active.viewportY + row)?.translateToString(true) ?? "").trimEnd(),
    );
    while (lines.at(-1) === "") lines.pop();
    return {
      lines,
      columns: this.#terminal.cols,
      rows: this.#terminal.rows,
      cursor: { line: active.cursorY + 1, column: active.cursorX + 1 },
      isAlternate: active.type === "alternate",
      remark: this.#remark,
    };
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  async #feedNow({ operations, process, signal }: Look): Promise<void> {
    if (process.columns > 0 && process.rows > 0) this.#terminal.resize(process.columns, process.rows);
    for (;;) {
      const from = this.#begin(process.outputBytes);
      const read = await operations
        .call("process.output", { id: process.id, from, limitBytes: mostBytes, format: "raw" }, { signal })
        .catch((error: unknown) => this.#afterDropped(error, from));
      if (read === undefined) continue;
      await this.#write(Buffer.from(read.text ?? "", "base64"));
      this.#fedTo = read.next;
      if (read.next >= read.end || read.next === from) return;
    }
  }

  #begin(end: number): number {
    if (end - this.#fedTo > mostBytes) this.#startAnew(end - mostBytes);
    return this.#fedTo;
  }

  /** What was dropped cannot be drawn. @throws what is wrong otherwise */
  #afterDropped(error: unknown, from: number): undefined {
    const first = isHoldfastError(error, "OUTPUT_TRIMMED") ? error.details["firstOffset"] : undefined;
    if (typeof first !== "number" || first <= from) throw error;
    this.#startAnew(first);
    return undefined;
  }

  #startAnew(offset: number): void {
    this.#terminal.reset();
    this.#fedTo = offset;
    this.#remark = `Drawn from offset ${offset} of its output on; what an older part drew and nobody drew over is missing.`;
  }

  /** In slices: a long output does not hold up other calls. */
  #write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.#terminal.write(bytes, resolve);
    });
  }
}
