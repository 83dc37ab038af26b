// The name a process was given after its start: its note is written once, and a rebuilt store must know what it is called now.
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HoldfastError } from "../../protocol/errors.ts";
import { isMissingFile } from "../../keeper/system-error.ts";
import { nameSchema } from "../../protocol/process.ts";

const fileName = "name";

/** Null: it has none any more. Of a run that was removed nothing is written. One at a time for a run. */
export async function writeRunName(directory: string, name: string | null): Promise<void> {
  const file = join(directory, fileName);
  try {
    await writeFile(`${file}.tmp`, name ?? "", { mode: 0o600, flush: true });
    await rename(`${file}.tmp`, file);
  } catch (error) {
    if (isMissingFile(error)) return;
    const reason = error instanceof Error ? error.message : String(error);
    throw new HoldfastError("SYSTEM_ERROR", `The name cannot be written: ${reason}`, { cause: error });
  }
}

/** Undefined: it was never renamed. */
export async function readRunName(directory: string): Promise<string | null | undefined> {
  const text = await readFile(join(directory, fileName), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  return text === "" ? null : nameSchema.safeParse(text).data;
}
