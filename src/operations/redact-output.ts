// Output that goes to a model: secrets are taken out with what stands around the part that was asked for, so that the edge of a page
// never shows half of one.
import { readOutput, type OutputSource } from "../processes/index.ts";
import { outputInputSchema, type OutputInput, type OutputOutput } from "../protocol/output.ts";
import { redactionContextBytes, type Redactor } from "../redaction/index.ts";

export async function redactOutput(
  redactor: Redactor,
  source: OutputSource,
  input: OutputInput,
  output: OutputOutput,
): Promise<OutputOutput> {
  if (!redactor.isEnabled) return output;
  if (output.pieces !== undefined) {
    const edges = { startsInside: output.from > 0, endsInside: !output.complete };
    const pieces = output.pieces.map(({ text }) => text);
    const texts =
      input.format === "raw" ? rawPieces(redactor, pieces, edges) : redactor.pieces(pieces, edges);
    return {
      ...output,
      pieces: output.pieces.map((piece, index) => ({ ...piece, text: texts[index] ?? "" })),
    };
  }
  const part = new OutputParts(redactor, source, input);
  const middle = output.omitted.find(({ why }) => why === "middle");
  if (middle === undefined)
    return { ...output, text: await part.redact(output.text ?? "", output.from, output.next) };
  const marker = markerOf(output.text ?? "", middle);
  const [head = "", tail = ""] = (output.text ?? "").split(marker);
  const clean = [
    await part.redact(head, output.from, middle.from),
    await part.redact(tail, middle.to, output.next),
  ];
  return { ...output, text: clean.join(marker) };
}

/** In base64, and as many bytes as before. */
function rawPieces(
  redactor: Redactor,
  pieces: readonly string[],
  edges: { readonly startsInside: boolean; readonly endsInside: boolean },
): string[] {
  const parts = pieces.map(fromBase64);
  const clean = Buffer.from(redactor.bytes({ text: Buffer.concat(parts), ...edges }));
  let at = 0;
  return parts.map(({ length }) => clean.subarray(at, (at += length)).toString("base64"));
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, "base64");
}

/** The line that stands for what was left out. */
function markerOf(text: string, { from, to }: { readonly from: number; readonly to: number }): string {
  const found = new RegExp(`\\n\\[… \\d+ bytes left out: offsets ${from} to ${to} …\\]\\n`).exec(text);
  return found?.[0] ?? "\n";
}

class OutputParts {
  readonly #redactor: Redactor;
  readonly #source: OutputSource;
  readonly #input: OutputInput;

  constructor(redactor: Redactor, source: OutputSource, input: OutputInput) {
    this.#redactor = redactor;
    this.#source = source;
    this.#input = input;
  }

  /** The text of [from, to), which begins and ends somewhere in the output. */
  async redact(text: string, from: number, to: number): Promise<string> {
    const begin = Math.max(0, from - redactionContextBytes);
    const before = from === 0 ? "" : await this.#read(begin, from - begin, from);
    const after = await this.#read(to, redactionContextBytes);
    const edges = { startsInside: begin > 0, endsInside: true };
    if (this.#input.format !== "raw") return this.#redactor.window({ before, text, after, ...edges }).text;
    const window = { before: fromBase64(before), text: fromBase64(text), after: fromBase64(after), ...edges };
    return Buffer.from(this.#redactor.bytes(window)).toString("base64");
  }

  async #read(from: number, limitBytes: number, before?: number): Promise<string> {
    const { format, stream } = this.#input;
    const around = outputInputSchema.parse({ id: this.#source.id, from, before, limitBytes, format, stream });
    const told = await readOutput(this.#source, around).catch(() => undefined); // dropped: then nobody can see it either
    return told?.text ?? "";
  }
}
