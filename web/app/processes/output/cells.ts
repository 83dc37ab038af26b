// How many columns text takes in a monospaced font, and how many rows when it is wrapped. The page sets every character that is not plain
// ASCII into a box of this width, so that the answer is exact whatever fonts the browser has.

export interface CellText {
  readonly text: string;
  readonly width: number;
}

// East Asian wide and emoji.
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
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
