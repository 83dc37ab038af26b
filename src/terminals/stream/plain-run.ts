// Output that scrolls away before anybody can see it: of a long run of plain lines only the last ones, as many as a terminal keeps, make
// a difference. Leaving out the others is how an emulator keeps up with a program that writes faster than it can draw.

export interface ShortenedRun {
  /** How many bytes at the beginning need not be drawn. */
  readonly skippedBytes: number;
  /** What must be fed instead of them: they may have changed the colours. */
  readonly instead: Uint8Array;
}

const escape = 0x1b;
const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const bracket = 0x5b;
const final = 0x6d; // m
// Less is drawn as fast as it is looked through.
const leastBytes = 16_384;

/** The length of the run at the beginning that is text, line ends, tabs and colours, and nothing else. */
function runLength(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] as number; // within its length
    if (byte >= 0x20 && byte !== 0xc2) at += 1;
    else if (byte === lineFeed || byte === carriageReturn || byte === tab) at += 1;
    else if (byte === 0xc2 && (bytes[at + 1] ?? 0) >= 0xa0) at += 2;
    else {
      const to = byte === escape ? colorEnd(bytes, at) : -1;
      if (to < 0) return at;
      at = to;
    }
  }
  return at;
}

/** Where the sequence ends that sets colours and begins here; -1 when it is none. */
function colorEnd(bytes: Uint8Array, from: number): number {
  if (bytes[from + 1] !== bracket) return -1;
  let at = from + 2;
  for (let byte = bytes[at] ?? 0; byte >= 0x30 && byte < 0x3c; byte = bytes[at] ?? 0) at += 1;
  return bytes[at] === final ? at + 1 : -1;
}

/**
 * @param lines after so many line feeds nothing is left of what was before
 * Undefined when nothing can be left out, or it is not worth it.
 */
export function shortenRun(bytes: Uint8Array, lines: number): ShortenedRun | undefined {
  if (bytes.length < leastBytes) return undefined;
  let at = runLength(bytes);
  for (let count = 0; count < lines; count++) {
    if (at <= leastBytes) return undefined;
    at = bytes.lastIndexOf(lineFeed, at - 1);
  }
  // Where a line begins at the first column, whatever stood before it.
  while (at > 0 && bytes[at - 1] !== carriageReturn) at = bytes.lastIndexOf(lineFeed, at - 1);
  const skippedBytes = at - 1;
  if (skippedBytes < leastBytes) return undefined;
  return { skippedBytes, instead: colorsOf(bytes.subarray(0, skippedBytes)) };
}

/** The sequences in a run that set colours, from the last one on that begins with a reset. */
function colorsOf(run: Uint8Array): Uint8Array {
  const sequences: Uint8Array[] = [];
  for (let at = run.lastIndexOf(escape); at >= 0; at = at === 0 ? -1 : run.lastIndexOf(escape, at - 1)) {
    const sequence = run.subarray(at, colorEnd(run, at));
    sequences.push(sequence);
    if (isReset(sequence)) break;
  }
  return Buffer.concat(sequences.toReversed());
}

function isReset(sequence: Uint8Array): boolean {
  const [parameter] = Buffer.from(sequence.subarray(2, -1)).toString("latin1").split(/[;:]/);
  return Number(parameter) === 0;
}
