// Makes a program paint its screen again: it hears of a size only when it differs.
import type { KeptProcess } from "../../keeper/index.ts";

/**
 * Asks the keeper for the size, before and in between: a person may have given another one since the screen was drawn, and it must stay.
 * What has ended paints nothing, and that is no error.
 */
export async function askToRepaint(kept: KeptProcess): Promise<void> {
  try {
    const { columns, rows } = await kept.state();
    const other = rows > 1 ? rows - 1 : rows + 1;
    await kept.resize(columns, other);
    const now = await kept.state();
    if (now.columns === columns && now.rows === other) await kept.resize(columns, rows);
  } catch {
    return;
  }
}
