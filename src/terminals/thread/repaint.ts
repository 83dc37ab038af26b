// Makes a program paint its screen again: it hears of a size only when it differs.
import type { KeptProcess } from "../../keeper/index.ts";
import type { TerminalSize } from "../../protocol/terminal-size.ts";

/** What has ended paints nothing, and that is no error. */
export async function askToRepaint(kept: KeptProcess, { columns, rows }: TerminalSize): Promise<void> {
  try {
    await kept.resize(columns, rows > 1 ? rows - 1 : rows + 1);
    await kept.resize(columns, rows);
  } catch {
    return;
  }
}
