// Sizes of terminals: whatever is asked for becomes a size that can be. Both ends use this file, so it has no zod.

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface WantedSize {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

export const mostColumns = 1_000;
export const mostRows = 500;
export const defaultSize: TerminalSize = { columns: 80, rows: 24 };

/** Missing, 0 or no number: the current one, else the default. */
export function sizeInForce(wanted: WantedSize, current: WantedSize = {}): TerminalSize {
  return {
    columns: clamp(wanted.columns, mostColumns) ?? clamp(current.columns, mostColumns) ?? defaultSize.columns,
    rows: clamp(wanted.rows, mostRows) ?? clamp(current.rows, mostRows) ?? defaultSize.rows,
  };
}

function clamp(value: number | undefined, most: number): number | undefined {
  if (value === undefined || value === 0 || Number.isNaN(value)) return undefined;
  return Math.min(Math.max(Math.trunc(value), 1), most);
}
