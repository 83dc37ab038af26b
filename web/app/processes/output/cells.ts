// How many columns text takes in a monospaced font, and how many rows when it is wrapped. The page sets every character that is not plain
// ASCII into a box of this width, so that the answer is exact whatever fonts the browser has.

export interface CellText {
  readonly text: string;
  readonly width: number;
}

// What Unicode calls wide or fullwidth (EastAsianWidth.txt), and what is drawn as an emoji: by itself, or because a selector asks for it.
const wide =
  /[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u3247\u3250-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u;
const beyondAscii = /[^\u0020-\u007e]/;
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export function isAscii(text: string): boolean {
  return !beyondAscii.test(text);
}

/** Plain runs as they are, every other character for itself. */
export function cellsOf(text: string): CellText[] {
  if (isAscii(text)) return [{ text, width: text.length }];
  const cells: { text: string; width: number; isPlain: boolean }[] = [];
  for (const { segment } of segmenter.segment(text)) {
    const isPlain = isAscii(segment);
    const last = cells.at(-1);
    if (isPlain && last?.isPlain === true) {
      last.text += segment;
      last.width += segment.length;
    } else
      cells.push({ text: segment, width: isPlain ? segment.length : wide.test(segment) ? 2 : 1, isPlain });
  }
  return cells.map(({ text: shown, width }) => ({ text: shown, width }));
}

/** Broken anywhere, as a terminal does; at least one row. */
export function rowsOf(texts: readonly string[], columns: number): number {
  let rows = 1;
  let column = 0;
  for (const { text, width } of texts.flatMap(cellsOf)) {
    if (isAscii(text)) {
      const filled = column + width;
      if (filled > columns) rows += Math.ceil(filled / columns) - 1;
      column = filled > columns ? filled % columns || columns : filled;
    } else if (column + width > columns) {
      rows += 1;
      column = width;
    } else column += width;
  }
  return rows;
}
