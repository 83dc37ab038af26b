// Prints output for people line by line: escapes stripped, redraws collapsed, each line whole although two streams come
// mixed. A line that is not finished is shown after a pause: it may be a prompt.
import { plainLine } from "../format/plain-line.ts";

export type StreamName = "stdout" | "stderr";

interface Line {
  readonly decoder: InstanceType<typeof TextDecoder>;
  text: string;
  /** When its first byte was written. */
  at: number;
  /** What of it stands on the screen already. */
  shown: string;
}

// A program that never ends its line must not fill our memory.
const longestLine = 65_536;

export class LogPrinter {
  readonly #lines: Record<StreamName, Line> = { stdout: newLine(), stderr: newLine() };
  readonly #hasTimes: boolean;
  #open: StreamName | undefined;

  constructor(options: { readonly timestamps: boolean }) {
    this.#hasTimes = options.timestamps;
  }

  /** What is to be printed now. */
  push(stream: StreamName, bytes: Uint8Array, at: number): string {
    const line = this.#lines[stream];
    const parts = line.decoder.decode(bytes, { stream: true }).split("\n");
    const last = parts.pop() ?? "";
    let printed = "";
    for (const part of parts) {
      this.#grow(line, part, at);
      printed += this.#finish(stream);
    }
    if (last !== "") this.#grow(line, last, at);
    if (line.text.length > longestLine) printed += this.#finish(stream);
    return printed;
  }

  /** The unfinished lines, as far as they are. */
  pause(): string {
    return this.#showPart("stdout") + this.#showPart("stderr");
  }

  /** Nothing more comes, or something is missing: no line goes on behind it. */
  end(): string {
    // The one that is shown in part goes on where it stands.
    const streams =
      this.#open === "stderr" ? (["stderr", "stdout"] as const) : (["stdout", "stderr"] as const);
    return streams.map((stream) => this.#endLine(stream)).join("");
  }

  #endLine(stream: StreamName): string {
    const line = this.#lines[stream];
    line.text += line.decoder.decode(); // half a character
    return line.text === "" && line.shown === "" ? "" : this.#finish(stream);
  }

  #grow(line: Line, text: string, at: number): void {
    if (line.text === "" && line.shown === "") line.at = at;
    const grown = line.text + text;
    // What stands before a return was drawn over; a carriage return at the end may belong to a newline.
    const drawn = grown.lastIndexOf("\r", grown.length - 2);
    line.text = grown.length > longestLine && drawn > 0 ? grown.slice(drawn + 1) : grown;
  }

  #finish(stream: StreamName): string {
    const line = this.#lines[stream];
    const printed = this.#continued(stream, this.#render(line));
    line.text = "";
    line.shown = "";
    this.#open = undefined;
    return `${printed}\n`;
  }

  #showPart(stream: StreamName): string {
    const line = this.#lines[stream];
    const rendered = line.text === "" ? "" : this.#render(line);
    if (rendered === line.shown) return "";
    const printed = this.#continued(stream, rendered);
    line.shown = rendered;
    this.#open = stream;
    return printed;
  }

  /** What brings the screen from what it shows of this line to the whole of it. */
  #continued(stream: StreamName, rendered: string): string {
    const { shown } = this.#lines[stream];
    if (this.#open === undefined) return rendered;
    if (this.#open !== stream) return `\n${rendered}`;
    return rendered.startsWith(shown) ? rendered.slice(shown.length) : `\n${rendered}`;
  }

  #render(line: Line): string {
    const prefix = this.#hasTimes ? `${new Date(line.at).toISOString()} ` : "";
    return prefix + plainLine(line.text);
  }
}

function newLine(): Line {
  return { decoder: new TextDecoder(), text: "", at: 0, shown: "" };
}
